package io.seckill.kafka;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.component.kafka.consumer.DefaultKafkaManualCommit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Reads and commits the batches of a Kafka consumer with {@code batching} and {@code
 * allowManualCommit}. Thread-safe.
 */
public final class PolledRecords {
  private static final byte[] NO_VALUE = {};

  /** The generation of its group in which a consumer committed last. */
  private final Map<Consumer<?, ?>, Integer> generations =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The records of a batch, in the order of their offsets within each partition. */
  public List<ReceivedRecord> read(List<Exchange> batch) {
    return batch.stream().map(Exchange::getMessage).map(PolledRecords::read).toList();
  }

  /**
   * Commits, in one request, the offset after the last record of each partition in a batch of one
   * topic. Camel's own commit of a batch covers only the partition of the last record. Call it on
   * the thread that polled.
   *
   * <p>An offset never goes back: the commit leaves out a partition that this consumer has no more,
   * and one that another consumer has committed further meanwhile.
   *
   * @throws org.apache.kafka.common.KafkaException when Kafka refuses, for example because another
   *     consumer has the partitions now
   */
  public void commit(List<Exchange> batch) {
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    Set<Object> seen = new HashSet<>();
    for (int i = batch.size() - 1; i >= 0; i--) {
      Message message = batch.get(i).getMessage();
      if (seen.add(message.getHeader(KafkaConstants.PARTITION))) {
        next.put(partitionOf(message), new OffsetAndMetadata(offsetOf(message) + 1));
      }
    }
    DefaultKafkaManualCommit polled = commitOf(batch.get(0).getMessage());
    commit(
        polled.getCamelExchangePayload().consumer,
        next,
        Duration.ofMillis(polled.getCommitTimeout()));
  }

  void commit(
      Consumer<?, ?> consumer, Map<TopicPartition, OffsetAndMetadata> next, Duration timeout) {
    next.keySet().retainAll(consumer.assignment());
    int generation = consumer.groupMetadata().generationId();
    if (!Integer.valueOf(generation).equals(generations.get(consumer)) && !next.isEmpty()) {
      consumer
          .committed(next.keySet(), timeout)
          .forEach(
              (partition, committed) -> {
                if (committed != null && committed.offset() > next.get(partition).offset()) {
                  next.remove(partition);
                }
              });
    }
    if (!next.isEmpty()) {
      consumer.commitSync(next, timeout);
      generations.put(consumer, generation);
    }
  }

  private static ReceivedRecord read(Message message) {
    TopicPartition partition = partitionOf(message);
    byte[] value = message.getBody(byte[].class);
    return new ReceivedRecord(
        partition.topic(),
        partition.partition(),
        offsetOf(message),
        message.getHeader(KafkaConstants.TIMESTAMP, Long.class),
        value == null ? NO_VALUE : value,
        headers(message.getHeader(KafkaConstants.HEADERS, Headers.class)));
  }

  private static Map<String, byte[]> headers(Headers headers) {
    Map<String, byte[]> values = new HashMap<>();
    for (Header header : headers) {
      if (header.value() != null) {
        values.put(header.key(), header.value());
      }
    }
    return values;
  }

  private static TopicPartition partitionOf(Message message) {
    return new TopicPartition(
        message.getHeader(KafkaConstants.TOPIC, String.class),
        message.getHeader(KafkaConstants.PARTITION, Integer.class));
  }

  private static long offsetOf(Message message) {
    return message.getHeader(KafkaConstants.OFFSET, Long.class);
  }

  /** Camel's own commit object, which endpoints without a kafkaManualCommitFactory have. */
  private static DefaultKafkaManualCommit commitOf(Message message) {
    return message.getHeader(KafkaConstants.MANUAL_COMMIT, DefaultKafkaManualCommit.class);
  }
}
