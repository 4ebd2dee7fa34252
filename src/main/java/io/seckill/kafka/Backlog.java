package io.seckill.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the records of a topic that a consumer group has not committed, independently of the
 * group's members. Thread-safe.
 */
public final class Backlog {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final ConsumerProgress progress;
  private final Map<String, Object> properties;

  /**
   * @param client client properties: addresses and security
   */
  public Backlog(ConsumerProgress progress, Map<String, Object> client) {
    this.progress = progress;
    this.properties = new HashMap<>(client);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // a record that is deleted before it was read is an error
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
  }

  /**
   * Reads the uncommitted records up to the present end. They may include records that the group
   * commits meanwhile.
   *
   * @param values gets the value of each record, on this thread
   * @throws KafkaException when Kafka is away, or some records cannot be read
   */
  public void read(String topic, String group, java.util.function.Consumer<byte[]> values) {
    Map<TopicPartition, Long> next = progress.next(topic, group);
    Map<TopicPartition, Long> ends = new HashMap<>(progress.barrier(topic, group).ends());
    ends.entrySet().removeIf(end -> end.getValue() <= next.getOrDefault(end.getKey(), 0L));
    if (ends.isEmpty()) {
      return;
    }
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(ends.keySet());
      ends.keySet().forEach(partition -> consumer.seek(partition, next.get(partition)));
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        if (System.nanoTime() - deadline > 0) {
          throw new TimeoutException("The backlog of " + topic + " was not read within " + LIMIT);
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          values.accept(record.value());
        }
      }
    }
  }
}
