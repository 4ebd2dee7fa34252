/** The application's own metrics. */
package io.seckill.metrics;
