package io.seckill.bench.run;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.seckill.bench.baseline.Scripts;
import io.seckill.redis.BookKeys;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.flywaydb.core.Flyway;

/** The benchmark's own view of one namespace: it lays out sales, reads books and clears up. */
final class Backends implements AutoCloseable {
  private static final long AOF_LIMIT = 2L << 30;
  private static final int CHUNK = 200;

  private final Namespace namespace;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> redis;
  private final Connection mysql;
  private final String preheat;
  private final String ledger;
  private final List<String> forgotten = new ArrayList<>();

  Backends(Namespace namespace) throws SQLException {
    this.namespace = namespace;
    String server = namespace.mysqlUrl().substring(0, namespace.mysqlUrl().lastIndexOf('/') + 1);
    try (Connection connection = connect(namespace, server + "seckill");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE IF NOT EXISTS " + namespace.schema());
    }
    Flyway.configure()
        .dataSource(namespace.mysqlUrl(), namespace.mysqlUser(), namespace.mysqlPassword())
        .locations("classpath:sql/migration")
        .load()
        .migrate();
    this.mysql = connect(namespace, namespace.mysqlUrl());
    this.client = RedisClient.create(namespace.redisUri());
    this.redis = client.connect();
    this.preheat = Scripts.load(redis.sync(), "preheat");
    this.ledger = Scripts.load(redis.sync(), "ledger");
    redis.sync().configSet("auto-aof-rewrite-percentage", "0");
  }

  private static Connection connect(Namespace namespace, String url) throws SQLException {
    return DriverManager.getConnection(url, namespace.mysqlUser(), namespace.mysqlPassword());
  }

  Namespace namespace() {
    return namespace;
  }

  String loadScript(String name) {
    return Scripts.load(redis.sync(), name);
  }

  /** Writes sales as an operator's preheating would, for contenders that have no administration. */
  void preheat(long firstProduct, int products, long stock) throws SQLException {
    long now = System.currentTimeMillis();
    try (PreparedStatement insert =
        mysql.prepareStatement(
            "INSERT INTO products (id, name, count, initial_stock, state, preheated, created_at,"
                + " updated_at) VALUES (?, 'benchmark', ?, ?, 'OPEN', 1, ?, ?)")) {
      for (int i = 0; i < products; i++) {
        insert.setLong(1, firstProduct + i);
        insert.setLong(2, stock);
        insert.setLong(3, stock);
        insert.setLong(4, now);
        insert.setLong(5, now);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    for (int i = 0; i < products; i++) {
      redis
          .sync()
          .evalsha(
              preheat,
              ScriptOutputType.MULTI,
              BookKeys.all(firstProduct + i),
              "1",
              Long.toString(stock),
              "1",
              "",
              "",
              "OPEN");
    }
  }

  /**
   * Units that are reserved and not yet an order, over the given products, and orders that are
   * confirmed.
   */
  Progress progress(long firstProduct, int products) {
    List<RedisFuture<List<KeyValue<String, String>>>> reads = new ArrayList<>();
    for (int i = 0; i < products; i++) {
      reads.add(redis.async().hmget(BookKeys.sale(firstProduct + i), "pending", "sold"));
    }
    long pending = 0;
    long sold = 0;
    for (var read : reads) {
      var values = read.toCompletableFuture().join();
      pending += Long.parseLong(values.get(0).getValueOrElse("0"));
      sold += Long.parseLong(values.get(1).getValueOrElse("0"));
    }
    return new Progress(pending, sold);
  }

  record Progress(long pending, long sold) {}

  /** Nothing is pending and nothing is left to relay. */
  boolean isDrained(long firstProduct, int products) {
    return progress(firstProduct, products).pending() == 0
        && LongStream.range(firstProduct, firstProduct + products)
            .mapToObj(product -> redis.async().xlen(BookKeys.outbox(product)))
            .toList()
            .stream()
            .allMatch(length -> length.toCompletableFuture().join() == 0);
  }

  List<Book> books(long firstProduct, int products) throws SQLException {
    List<Book> books = new ArrayList<>();
    for (int i = 0; i < products; i++) {
      books.add(book(firstProduct + i));
    }
    return books;
  }

  private Book book(long productId) throws SQLException {
    List<Object> reply =
        redis.sync().evalsha(ledger, ScriptOutputType.MULTI, BookKeys.all(productId));
    long[] b = new long[6];
    for (int i = 0; i < b.length && reply.size() > 1; i++) {
      b[i] = (Long) reply.get(i + 1);
    }
    long outbox = reply.size() > 1 ? (Long) reply.get(14) : 0;
    try (PreparedStatement select =
        mysql.prepareStatement(
            "SELECT COUNT(*), COALESCE(SUM(quantity), 0), COUNT(*) - COUNT(DISTINCT user_id),"
                + " (SELECT initial_stock FROM products WHERE id = ?)"
                + " FROM seckill_orders WHERE product_id = ? AND status = 'SUCCESS'")) {
      select.setLong(1, productId);
      select.setLong(2, productId);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return new Book(
            productId,
            Math.max(b[0], row.getLong(4)),
            b[1],
            b[2],
            b[3],
            b[4],
            b[5],
            outbox,
            row.getLong(1),
            row.getLong(2),
            row.getLong(3));
      }
    }
  }

  /** Bytes of Redis's memory in use. */
  long redisBytes() {
    return info("memory", "used_memory");
  }

  /**
   * Forgets the sales and all orders. The books go a run later, when every relay has learned from
   * MySQL that the sales are over; returns when Redis has freed their memory.
   */
  void clear(long firstProduct, int products) throws SQLException, InterruptedException {
    try (Statement statement = mysql.createStatement()) {
      statement.execute(
          "DELETE FROM products WHERE id BETWEEN %d AND %d"
              .formatted(firstProduct, firstProduct + products - 1));
      statement.execute("TRUNCATE TABLE seckill_orders");
    }
    unlink(forgotten);
    forgotten.clear();
    for (int i = 0; i < products; i++) {
      forgotten.addAll(List.of(BookKeys.all(firstProduct + i)));
    }
    if (info("persistence", "aof_current_size") > AOF_LIMIT) {
      redis.sync().bgrewriteaof();
      while (info("persistence", "aof_rewrite_in_progress") > 0) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  private void unlink(List<String> keys) throws InterruptedException {
    for (int from = 0; from < keys.size(); from += CHUNK) {
      redis
          .sync()
          .unlink(keys.subList(from, Math.min(keys.size(), from + CHUNK)).toArray(new String[0]));
    }
    while (info("memory", "lazyfree_pending_objects") > 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private long info(String section, String field) {
    return redis
        .sync()
        .info(section)
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(field.length() + 1).strip()))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() throws SQLException {
    client.shutdown(0, 1, TimeUnit.SECONDS);
    mysql.close();
  }
}
