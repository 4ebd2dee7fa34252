/** Runs drills: clients, faults, dumps and verdicts. */
package io.seckill.drill.run;
