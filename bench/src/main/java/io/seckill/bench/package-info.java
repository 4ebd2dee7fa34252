/**
 * The benchmark: compares the application with baselines written by hand and with other builds of
 * itself.
 */
package io.seckill.bench;
