/**
 * What the application is compared with: servers and pipelines written by hand, each in its own
 * process.
 */
package io.seckill.bench.baseline;
