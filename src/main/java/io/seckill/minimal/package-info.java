/** Minimal mode: a queue in memory and MySQL stand for Redis and Kafka. */
package io.seckill.minimal;
