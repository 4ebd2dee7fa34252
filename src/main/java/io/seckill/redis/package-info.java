/** The link to Redis: connections, scripts, and the Camel component that runs scripts. */
package io.seckill.redis;
