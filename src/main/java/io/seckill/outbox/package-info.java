/**
 * Moves orders from the outboxes in Redis to Kafka: reads entries, and acknowledges them once Kafka
 * has them.
 */
package io.seckill.outbox;
