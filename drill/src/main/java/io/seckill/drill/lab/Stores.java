package io.seckill.drill.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.drill.history.Book;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Reads Redis, MySQL and Kafka directly, not through the broken network. It has its own knowledge
 * of the data's layout and uses no code of the application.
 */
public final class Stores implements AutoCloseable {
  public static final String ORDERS = "seckill.orders";
  public static final String DEAD_LETTERS = "seckill.orders.dlq";

  /** Consumer groups whose lag must be zero at rest, by their topic. */
  private static final Map<String, String> GROUPS =
      Map.of(ORDERS, "seckill-writer", DEAD_LETTERS, "seckill-dead-letters");

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int KAFKA_MILLIS = 5_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Addresses addresses;
  private RedisClient redisClient;
  private StatefulRedisConnection<String, String> redisConnection;
  private Admin admin;
  private KafkaProducer<byte[], byte[]> producer;

  Stores(Addresses addresses) {
    this.addresses = addresses;
    redisClient = clientOf(addresses.redisUri());
  }

  private static RedisClient clientOf(String redisUri) {
    RedisURI uri = RedisURI.create(redisUri);
    uri.setTimeout(PATIENCE);
    RedisClient client = RedisClient.create(uri);
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .timeoutOptions(TimeoutOptions.enabled(PATIENCE))
            .build());
    return client;
  }

  /** Reads another Redis from now on. */
  synchronized void redisIsAt(String redisUri) {
    RedisClient before = redisClient;
    redisClient = clientOf(redisUri);
    redisConnection = null;
    before.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }

  /**
   * @throws RedisException when Redis is away
   */
  public synchronized RedisCommands<String, String> redis() {
    if (redisConnection == null) {
      redisConnection = redisClient.connect();
    }
    return redisConnection.sync();
  }

  /** The caller closes it. */
  public Connection mysql() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", addresses.mysqlUser());
    properties.setProperty("password", addresses.mysqlPassword());
    properties.setProperty("connectTimeout", "2000");
    properties.setProperty("socketTimeout", "30000");
    return DriverManager.getConnection(addresses.mysqlUrl(), properties);
  }

  private synchronized Admin admin() {
    if (admin == null) {
      Map<String, Object> options = addresses.kafkaClient();
      options.put("request.timeout.ms", KAFKA_MILLIS);
      options.put("default.api.timeout.ms", KAFKA_MILLIS * 2);
      admin = Admin.create(options);
    }
    return admin;
  }

  /** Sends records to the application's topics. */
  public synchronized void produce(Collection<ProducerRecord<byte[], byte[]>> records) {
    if (producer == null) {
      Map<String, Object> options = addresses.kafkaClient();
      options.put("acks", "all");
      producer = new KafkaProducer<>(options, new ByteArraySerializer(), new ByteArraySerializer());
    }
    for (ProducerRecord<byte[], byte[]> record : records) {
      producer.send(record);
    }
    producer.flush();
  }

  /** The counters of the book; null without a book or without Redis. */
  public Book book(long productId) {
    try {
      Map<String, String> fields = new HashMap<>();
      for (KeyValue<String, String> field :
          redis()
              .hmget(
                  key(productId, "sale"),
                  "initial",
                  "restocked",
                  "available",
                  "pending",
                  "sold",
                  "writtenOff",
                  "released",
                  "epoch")) {
        fields.put(field.getKey(), field.getValueOrElse(null));
      }
      if (fields.get("available") == null) {
        return null;
      }
      return new Book(
          number(fields, "initial"),
          number(fields, "restocked"),
          number(fields, "available"),
          number(fields, "pending"),
          number(fields, "sold"),
          number(fields, "writtenOff"),
          number(fields, "released"),
          number(fields, "epoch"));
    } catch (RedisException away) {
      return null;
    }
  }

  private static long number(Map<String, String> fields, String name) {
    String value = fields.get(name);
    return value == null || value.isEmpty() ? 0 : Long.parseLong(value);
  }

  /** Key of a part of the book: sale, users, outbox or pending. */
  public static String key(long productId, String part) {
    return "seckill:{" + productId + "}:" + part;
  }

  /** The end offset of each partition of a topic. */
  public Map<TopicPartition, Long> ends(String topic) {
    try {
      List<TopicPartition> partitions =
          admin()
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get()
              .get(topic)
              .partitions()
              .stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      Map<TopicPartition, OffsetSpec> latest = new LinkedHashMap<>();
      partitions.forEach(partition -> latest.put(partition, OffsetSpec.latest()));
      Map<TopicPartition, Long> ends = new LinkedHashMap<>();
      admin()
          .listOffsets(latest)
          .all()
          .get()
          .forEach((partition, offset) -> ends.put(partition, offset.offset()));
      return ends;
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LabException("Interrupted", e);
    }
  }

  /** Records that writers or dead-letter consumers have not committed. */
  public long lag() {
    return GROUPS.keySet().stream().mapToLong(this::lag).sum();
  }

  /** Records of a topic that its consumers have not committed. */
  public long lag(String topic) {
    Map<TopicPartition, OffsetAndMetadata> committed = committed(GROUPS.get(topic));
    long lag = 0;
    for (Map.Entry<TopicPartition, Long> end : ends(topic).entrySet()) {
      OffsetAndMetadata offset = committed.get(end.getKey());
      lag += end.getValue() - (offset == null ? 0 : offset.offset());
    }
    return lag;
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
    try {
      return admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LabException("Interrupted", e);
    }
  }

  /** All records of a topic from the given offsets to its end. */
  public List<ConsumerRecord<byte[], byte[]>> records(
      String topic, Map<TopicPartition, Long> from) {
    Map<TopicPartition, Long> ends = ends(topic);
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    Map<String, Object> options = addresses.kafkaClient();
    options.put("enable.auto.commit", "false");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(options, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(ends.keySet());
      ends.keySet()
          .forEach(partition -> consumer.seek(partition, from.getOrDefault(partition, 0L)));
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(found::add);
      }
    }
    return found;
  }

  /** The order in a record; empty when the record is unreadable. */
  public static Optional<JsonNode> order(byte[] value) {
    try {
      JsonNode node = value == null ? null : JSON.readTree(value);
      return node != null && node.path("requestId").isTextual()
          ? Optional.of(node)
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** The single number of a query's result; 0 for none. */
  public long number(String sql, Object... arguments) throws SQLException {
    try (Connection connection = mysql();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? result.getLong(1) : 0;
      }
    }
  }

  /** Whether a sale has a settlement. */
  public boolean isSettled(long productId) throws SQLException {
    return number("SELECT COUNT(*) FROM settlements WHERE product_id = ?", productId) > 0;
  }

  /** Runs a statement on its own connection. */
  public void execute(String sql) throws SQLException {
    try (Connection connection = mysql();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    }
  }

  @Override
  public synchronized void close() {
    redisClient.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    if (admin != null) {
      admin.close(Duration.ofSeconds(2));
    }
    if (producer != null) {
      producer.close(Duration.ofSeconds(2));
    }
  }
}
