/** The link to Redis: connections, scripts, and the Camel component that calls scripts. */
package io.seckill.redis;
