/** Puts together what watches the application: meters, route times and health checks. */
package io.seckill.ops;
