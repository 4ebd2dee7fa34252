/** Minimal mode: a queue in memory and MySQL replace Redis and Kafka. */
package io.seckill.minimal;
