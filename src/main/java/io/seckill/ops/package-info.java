/** Assembles the monitoring of the application: metrics, route times and health checks. */
package io.seckill.ops;
