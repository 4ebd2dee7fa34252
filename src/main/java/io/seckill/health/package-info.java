/** The latest state of this node's servers, for the health checks. */
package io.seckill.health;
