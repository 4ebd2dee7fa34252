/** Topics, consumer progress and records of Kafka. */
package io.seckill.kafka;
