package io.seckill.kafka;

import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What one poll found: the body of a route that takes whole polls ({@link WholePolls}).
 *
 * @param consumer the consumer that polled, for its thread only
 * @param records in the order of their offsets within each partition; at least one
 */
public record Poll(Consumer<?, ?> consumer, List<ConsumerRecord<Object, Object>> records) {}
