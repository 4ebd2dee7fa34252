package io.seckill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.embedded.KafkaServer;
import io.seckill.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsumerProgressIT {
  @TempDir static Path directory;

  private static KafkaServer kafka;
  private static Map<String, Object> client;
  private static Admin admin;
  private static Topics topics;

  private final ConsumerProgress progress = new ConsumerProgress(admin);

  @BeforeAll
  static void start() {
    kafka = new KafkaServer(directory, 0);
    kafka.start();
    client = TestServers.kafkaClient(kafka);
    admin = Admin.create(client);
    topics = new Topics(admin, Duration.ofSeconds(60));
  }

  @AfterAll
  static void stop() {
    admin.close();
    kafka.stop();
  }

  @Test
  void shouldCreateTopicsOnceAndAddPartitionsButTakeNoneAway() throws Exception {
    topics.ensure(List.of(new Topic("grown", 2, Map.of("max.message.bytes", "4194304"))));
    assertThat(partitions("grown")).isEqualTo(2);
    topics.ensure(List.of(new Topic("grown", 2, Map.of())));
    topics.ensure(List.of(new Topic("grown", 4, Map.of()), new Topic("beside", 1, Map.of())));
    assertThat(partitions("grown")).isEqualTo(4);
    assertThat(partitions("beside")).isEqualTo(1);
    topics.ensure(List.of(new Topic("grown", 1, Map.of())));
    assertThat(partitions("grown")).isEqualTo(4);
  }

  @Test
  void shouldPassABarrierOnceTheGroupCommittedWhatWasThere() throws Exception {
    topics.ensure(List.of(new Topic("orders", 2, Map.of())));
    assertThat(progress.passed(progress.barrier("orders", "writers"))).isTrue();

    send("orders", 0, 3);
    send("orders", 1, 2);
    Barrier barrier = progress.barrier("orders", "writers");
    assertThat(progress.passed(barrier)).isFalse();
    assertThat(progress.consumed("orders", "writers").lag()).isEqualTo(5);
    assertThat(backlog("orders", "writers"))
        .containsExactlyInAnyOrder("record 0", "record 1", "record 2", "record 0", "record 1");

    commit("writers", "orders", 0, 3);
    assertThat(progress.passed(barrier)).isFalse();
    assertThat(backlog("orders", "writers")).containsExactly("record 0", "record 1");
    commit("writers", "orders", 1, 2);
    assertThat(progress.passed(barrier)).isTrue();
    assertThat(progress.consumed("orders", "writers").lag()).isZero();
    assertThat(backlog("orders", "writers")).isEmpty();

    send("orders", 0, 1);
    assertThat(progress.passed(barrier)).isTrue();
    assertThat(progress.passed(progress.barrier("orders", "writers"))).isFalse();
    assertThat(progress.consumed("orders", "writers").lag()).isEqualTo(1);
  }

  private List<String> backlog(String topic, String group) {
    List<String> values = new ArrayList<>();
    new Backlog(progress, client)
        .read(topic, group, value -> values.add(new String(value, StandardCharsets.UTF_8)));
    return values;
  }

  private static int partitions(String topic) throws Exception {
    return admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get()
        .get(topic)
        .partitions()
        .size();
  }

  private static void commit(String group, String topic, int partition, long offset)
      throws Exception {
    admin
        .alterConsumerGroupOffsets(
            group, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }

  private static void send(String topic, int partition, int records) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < records; i++) {
        producer.send(new ProducerRecord<>(topic, partition, null, "record " + i));
      }
    }
  }
}
