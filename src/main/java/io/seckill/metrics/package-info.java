/** The application's own meters. */
package io.seckill.metrics;
