package io.seckill.bench.baseline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.book.BookKeys;
import io.seckill.domain.OrderRecord;
import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A writer of the hand-written pipeline (e). It writes the records of a poll as one JDBC batch in
 * one transaction, knows their ids from the first and the last one or reads them back, commits,
 * confirms them with one script call for each product (at most 500 orders), and then commits the
 * offsets. It stops at the first failure.
 */
final class PipelineWriter implements Runnable {
  private static final int CONFIRM_LIMIT = 500;
  private static final String INSERT =
      "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
          + " attempt, epoch, outbox_id, created_at) VALUES (?, ?, ?, ?, ?, 'SUCCESS', ?, ?, ?, ?)";
  private static final String KEEP = " ON DUPLICATE KEY UPDATE attempt = attempt";
  private static final int DUPLICATE_KEY = 1062;
  private static final String ENDS =
      "SELECT id FROM seckill_orders WHERE request_id IN (?, ?) ORDER BY id";
  private static final String READ_BACK =
      "SELECT id, request_id, product_id, quantity, status FROM seckill_orders"
          + " WHERE request_id IN (";

  private final ObjectReader json = new ObjectMapper().readerFor(OrderRecord.class);
  private final DataSource database;
  private final RedisCommands<String, String> redis;
  private final String confirm;
  private final KafkaConsumer<String, byte[]> kafka;

  PipelineWriter(
      String redisUri, DataSource database, Map<String, Object> consumerSettings, String topic) {
    this.database = database;
    this.redis = RedisClient.create(redisUri).connect().sync();
    this.confirm = Scripts.load(redis, "confirm");
    this.kafka =
        new KafkaConsumer<>(
            consumerSettings, new StringDeserializer(), new ByteArrayDeserializer());
    this.kafka.subscribe(List.of(topic));
  }

  @Override
  public void run() {
    try {
      while (true) {
        List<OrderRecord> batch = new ArrayList<>();
        // the first poll finds what was fetched ahead, the second what has come since
        for (int wait : List.of(100, 2)) {
          for (ConsumerRecord<String, byte[]> message : kafka.poll(Duration.ofMillis(wait))) {
            batch.add(json.readValue(message.value()));
          }
        }
        if (!batch.isEmpty()) {
          batch.sort(Comparator.comparing(OrderRecord::requestId));
          confirm(write(batch));
          kafka.commitSync();
        }
      }
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("the writer stopped", e);
    }
  }

  /** Inserts; returns the arguments of confirm.lua by product. */
  private Map<Long, List<String>> write(List<OrderRecord> batch) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      Map<Long, List<String>> written;
      try {
        insert(connection, INSERT, batch);
        written = numbered(connection, batch);
      } catch (BatchUpdateException e) {
        if (e.getErrorCode() != DUPLICATE_KEY) {
          throw e;
        }
        insert(connection, INSERT + KEEP, batch);
        written = readBack(connection, batch);
      }
      connection.commit();
      return written;
    }
  }

  private static void insert(Connection connection, String sql, List<OrderRecord> batch)
      throws SQLException {
    String attempt = UUID.randomUUID().toString();
    long now = System.currentTimeMillis();
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (OrderRecord order : batch) {
        insert.setString(1, order.requestId());
        insert.setLong(2, order.productId());
        insert.setLong(3, order.userId());
        insert.setInt(4, order.quantity());
        insert.setString(5, order.scopedIdemKey());
        insert.setString(6, attempt);
        insert.setLong(7, order.epoch());
        insert.setString(8, order.outboxId());
        insert.setLong(9, now);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static Map<Long, List<String>> numbered(Connection connection, List<OrderRecord> batch)
      throws SQLException {
    long first;
    long last;
    try (PreparedStatement select = connection.prepareStatement(ENDS)) {
      select.setString(1, batch.get(0).requestId());
      select.setString(2, batch.get(batch.size() - 1).requestId());
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        first = rows.getLong(1);
        last = rows.next() ? rows.getLong(1) : first;
      }
    }
    if (last - first != batch.size() - 1) {
      return readBack(connection, batch);
    }
    Map<Long, List<String>> triples = new TreeMap<>();
    for (int i = 0; i < batch.size(); i++) {
      OrderRecord order = batch.get(i);
      List<String> ofProduct =
          triples.computeIfAbsent(order.productId(), product -> new ArrayList<>());
      ofProduct.add(order.requestId());
      ofProduct.add(Long.toString(first + i));
      ofProduct.add(Integer.toString(order.quantity()));
    }
    return triples;
  }

  private static Map<Long, List<String>> readBack(Connection connection, List<OrderRecord> batch)
      throws SQLException {
    String sql = READ_BACK + "?, ".repeat(batch.size() - 1) + "?)";
    Map<Long, List<String>> triples = new TreeMap<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < batch.size(); i++) {
        select.setString(i + 1, batch.get(i).requestId());
      }
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          if (!"SUCCESS".equals(rows.getString(5))) {
            throw new IllegalStateException("a good order failed: " + rows.getString(2));
          }
          List<String> ofProduct =
              triples.computeIfAbsent(rows.getLong(3), product -> new ArrayList<>());
          ofProduct.add(rows.getString(2));
          ofProduct.add(rows.getString(1));
          ofProduct.add(rows.getString(4));
        }
      }
    }
    return triples;
  }

  private void confirm(Map<Long, List<String>> triplesByProduct) {
    triplesByProduct.forEach(
        (productId, triples) -> {
          for (int from = 0; from < triples.size(); from += 3 * CONFIRM_LIMIT) {
            List<String> call =
                triples.subList(from, Math.min(triples.size(), from + 3 * CONFIRM_LIMIT));
            redis.evalsha(
                confirm,
                ScriptOutputType.MULTI,
                BookKeys.all(productId),
                call.toArray(new String[0]));
          }
        });
  }
}
