package io.seckill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.TestServers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** What a consumer commits that holds records across a rebalance. */
class PolledRecordsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String name = "polled-" + UUID.randomUUID();
  private final TopicPartition partition = new TopicPartition(name, 0);
  private final PolledRecords records = new PolledRecords();

  @Test
  void shouldNotTakeAnOffsetBackThatAnotherConsumerHasCommittedMeanwhile() throws Exception {
    try (Admin admin = Admin.create(TestServers.get().kafkaClient());
        Consumer<byte[], byte[]> slow = consumer();
        Consumer<byte[], byte[]> other = consumer()) {
      new Topics(admin, LIMIT).ensure(List.of(new Topic(name, 1, Map.of())));
      take(slow);
      records.commit(slow, next(10), LIMIT);
      assertThat(committed(admin)).isEqualTo(10);

      slow.unsubscribe();
      take(other);
      records.commit(other, next(20), LIMIT);
      records.commit(slow, next(15), LIMIT);
      assertThat(committed(admin)).as("a partition it has no more").isEqualTo(20);

      other.unsubscribe();
      take(slow);
      records.commit(slow, next(15), LIMIT);
      assertThat(committed(admin)).as("of before it was away").isEqualTo(20);

      records.commit(slow, next(25), LIMIT);
      assertThat(committed(admin)).isEqualTo(25);
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    Map<String, Object> options = new HashMap<>(TestServers.get().kafkaClient());
    options.put("group.id", name);
    options.put("enable.auto.commit", false);
    options.put("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(options, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private void take(Consumer<?, ?> consumer) {
    consumer.subscribe(List.of(name));
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              consumer.poll(Duration.ofMillis(50));
              return consumer.assignment().contains(partition);
            });
  }

  private Map<TopicPartition, OffsetAndMetadata> next(long offset) {
    return new HashMap<>(Map.of(partition, new OffsetAndMetadata(offset)));
  }

  private long committed(Admin admin) throws Exception {
    return admin
        .listConsumerGroupOffsets(name)
        .partitionsToOffsetAndMetadata()
        .get()
        .get(partition)
        .offset();
  }
}
