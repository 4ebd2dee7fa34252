package io.seckill.embedded;

import io.lettuce.core.RedisClient;
import io.seckill.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Something left in each server, to be found again later. */
final class Keepsake {
  private static final String NAME = "keepsake";

  private final Map<?, ?> addresses;

  /**
   * @param addresses under the names that external mode reads
   */
  Keepsake(Map<?, ?> addresses) {
    this.addresses = addresses;
  }

  void leave(String text) throws Exception {
    try (RedisClient client = RedisClient.create(address("seckill.redis.uri"));
        var connection = client.connect()) {
      connection.sync().set(NAME, text);
    }
    try (Connection connection = database();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS keepsake (id INT PRIMARY KEY, text VARCHAR(100))");
      statement.executeUpdate("REPLACE INTO keepsake VALUES (1, '" + text + "')");
    }
    Map<String, Object> kafka = kafka();
    try (Admin admin = Admin.create(kafka)) {
      if (!admin.listTopics().names().get().contains(NAME)) {
        admin
            .createTopics(List.of(new NewTopic(NAME, Optional.of(1), Optional.empty())))
            .all()
            .get();
      }
    }
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(kafka, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(NAME, text)).get();
    }
  }

  /** The texts found, in the order Redis, MariaDB, Kafka; null where there is none. */
  List<String> find() throws Exception {
    String inRedis;
    try (RedisClient client = RedisClient.create(address("seckill.redis.uri"));
        var connection = client.connect()) {
      inRedis = connection.sync().get(NAME);
    }
    return Arrays.asList(inRedis, inDatabase(), inKafka());
  }

  private String inDatabase() throws SQLException {
    try (Connection connection = database();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT text FROM keepsake")) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  private String inKafka() {
    try (Consumer<String, String> consumer =
        new KafkaConsumer<>(kafka(), new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(NAME, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      return StreamSupport.stream(consumer.poll(Duration.ofSeconds(30)).spliterator(), false)
          .reduce((first, last) -> last)
          .map(ConsumerRecord::value)
          .orElse(null);
    }
  }

  private Connection database() throws SQLException {
    return DriverManager.getConnection(
        address("seckill.mysql.url"),
        address("seckill.mysql.user"),
        address("seckill.mysql.password"));
  }

  private String address(String name) {
    return addresses.get(name).toString();
  }

  private Map<String, Object> kafka() {
    Map<String, String> texts = new HashMap<>();
    addresses.forEach((name, value) -> texts.put((String) name, (String) value));
    return TestServers.kafkaClient(texts);
  }
}
