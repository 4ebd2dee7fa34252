package io.seckill.drill.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.lab.LabException;
import io.seckill.drill.lab.Stores;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Records all data of a product on the servers. */
final class Dump {
  private final Recorder recorder;
  private final Stores stores;
  private final String stage;
  private final long productId;

  Dump(Recorder recorder, Stores stores, String stage, long productId) {
    this.recorder = recorder;
    this.stores = stores;
    this.stage = stage;
    this.productId = productId;
  }

  /**
   * @param from the topics' ends before the run, by topic
   */
  void write(Map<String, Map<TopicPartition, Long>> from) throws SQLException {
    redis();
    mysql();
    from.forEach(this::topic);
  }

  private void redis() {
    Book book = stores.book(productId);
    if (book == null) {
      return;
    }
    recorder.add(
        new Event.BookFound(
            recorder.now(),
            stage,
            productId,
            book,
            stores.redis().xlen(Stores.key(productId, "outbox")),
            stores.redis().zcard(Stores.key(productId, "pending"))));
    stores.redis().hgetall(Stores.key(productId, "users")).forEach(this::entry);
  }

  /** requestId|key|quantity|status|outboxId|orderId|reason, under userId or userId|key. */
  private void entry(String field, String value) {
    String[] parts = value.split("\\|", -1);
    if (parts.length < 6) {
      throw new LabException("Not a users entry: " + value);
    }
    int bar = field.indexOf('|');
    recorder.add(
        new Event.EntryFound(
            recorder.now(),
            stage,
            productId,
            Long.parseLong(bar < 0 ? field : field.substring(0, bar)),
            parts[1],
            parts[0],
            Integer.parseInt(parts[2]),
            parts[3],
            parts[5]));
  }

  private void mysql() throws SQLException {
    try (Connection connection = stores.mysql()) {
      try (PreparedStatement rows =
          connection.prepareStatement(
              "SELECT id, request_id, user_id, quantity, idem_key, status, epoch FROM"
                  + " seckill_orders WHERE product_id = ? ORDER BY id")) {
        rows.setLong(1, productId);
        try (ResultSet row = rows.executeQuery()) {
          while (row.next()) {
            recorder.add(
                new Event.RowFound(
                    recorder.now(),
                    stage,
                    row.getLong(1),
                    row.getString(2),
                    productId,
                    row.getLong(3),
                    row.getInt(4),
                    row.getString(5),
                    row.getString(6),
                    row.getLong(7)));
          }
        }
      }
      try (PreparedStatement product =
          connection.prepareStatement(
              "SELECT count, initial_stock, restocked, epoch, (SELECT COALESCE(SUM(delta), 0) FROM"
                  + " stock_ledger WHERE product_id = p.id) FROM products p WHERE id = ?")) {
        product.setLong(1, productId);
        try (ResultSet row = product.executeQuery()) {
          if (row.next()) {
            recorder.add(
                new Event.ProductFound(
                    recorder.now(),
                    stage,
                    productId,
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5)));
          }
        }
      }
      settlement(connection);
    }
  }

  private void settlement(Connection connection) throws SQLException {
    try (PreparedStatement settlement =
        connection.prepareStatement(
            "SELECT initial, restocked, sold, written_off, orders, units, discrepancy, details FROM"
                + " settlements WHERE product_id = ?")) {
      settlement.setLong(1, productId);
      try (ResultSet row = settlement.executeQuery()) {
        if (row.next()) {
          recorder.add(
              new Event.SettlementFound(
                  recorder.now(),
                  stage,
                  productId,
                  row.getLong(1),
                  row.getLong(2),
                  row.getLong(3),
                  row.getLong(4),
                  row.getLong(5),
                  row.getLong(6),
                  row.getLong(7),
                  row.getString(8)));
        }
      }
    }
  }

  private void topic(String topic, Map<TopicPartition, Long> from) {
    for (ConsumerRecord<byte[], byte[]> record : stores.records(topic, from)) {
      Optional<JsonNode> order = Stores.order(record.value());
      if (order.isPresent() && order.get().path("productId").asLong() == productId) {
        recorder.add(
            new Event.MessageFound(
                recorder.now(),
                stage,
                topic,
                record.partition(),
                record.offset(),
                recorder.sinceBegin(record.timestamp()),
                productId,
                order.get().path("userId").asLong(),
                order.get().path("idemKey").asText(),
                order.get().path("requestId").asText(),
                order.get().path("epoch").asLong()));
      }
    }
  }
}
