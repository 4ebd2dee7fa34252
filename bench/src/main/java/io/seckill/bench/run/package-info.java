/** Starts servers and contenders, measures them in rounds and checks the books. */
package io.seckill.bench.run;
