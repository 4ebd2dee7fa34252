package io.seckill.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.camel.Body;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Reads and commits the polls of {@link WholePolls}. Thread-safe. */
public final class PolledRecords {
  private static final byte[] NO_VALUE = {};
  private static final Duration COMMIT_LIMIT = Duration.ofSeconds(5);

  /** The generation of its group in which a consumer committed last. */
  private final Map<Consumer<?, ?>, Integer> generations =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The records of a poll, in the order of their offsets within each partition. */
  public List<ReceivedRecord> read(@Body Poll poll) {
    List<ReceivedRecord> records = new ArrayList<>(poll.records().size());
    poll.records().forEach(polled -> records.add(read(polled)));
    return records;
  }

  /**
   * Commits, in one request, the offset after the last record of each partition. Call it on the
   * thread that polled.
   *
   * <p>An offset never goes back: the commit leaves out a partition that this consumer has no more,
   * and one that another consumer has committed further meanwhile.
   *
   * @throws org.apache.kafka.common.KafkaException when Kafka refuses, for example because another
   *     consumer has the partitions now
   */
  public void commit(Poll poll) {
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    for (ConsumerRecord<?, ?> polled : poll.records()) {
      next.put(
          new TopicPartition(polled.topic(), polled.partition()),
          new OffsetAndMetadata(polled.offset() + 1));
    }
    commit(poll.consumer(), next, COMMIT_LIMIT);
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

  private static ReceivedRecord read(ConsumerRecord<Object, Object> polled) {
    return new ReceivedRecord(
        polled.topic(),
        polled.partition(),
        polled.offset(),
        polled.timestamp(),
        polled.value() == null ? NO_VALUE : (byte[]) polled.value(),
        headers(polled.headers()));
  }

  private static Map<String, byte[]> headers(Headers headers) {
    Map<String, byte[]> values = null;
    for (Header header : headers) {
      if (header.value() != null) {
        values = values == null ? new HashMap<>() : values;
        values.put(header.key(), header.value());
      }
    }
    return values == null ? Map.of() : values;
  }
}
