/** The pages and the figures of runs. */
package io.seckill.drill.report;
