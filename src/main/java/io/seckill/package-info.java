/** The seckill gateway: starts Camel Main over the routes, and the servers they need. */
package io.seckill;
