package io.seckill.bench.run;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.seckill.bench.baseline.Scripts;
import io.seckill.book.BookKeys;
import io.seckill.sql.OrderDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Reads and writes the data of one contender: opens sales, reads books, deletes them. */
final class Backends implements AutoCloseable {
  private static final long AOF_LIMIT = 2L << 30;
  private static final int CHUNK = 200;

  private final Namespace namespace;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> redis;
  private final Connection mysql;
  private final LedgerScript ledger;
  private final String ledgerSha;
  private final List<String> forgotten = new ArrayList<>();

  /**
   * Makes the schema if it does not exist, without tables.
   *
   * @param ledger of the build whose books are read
   */
  Backends(Namespace namespace, LedgerScript ledger) throws SQLException {
    this.namespace = namespace;
    this.ledger = ledger;
    String server = namespace.mysqlUrl().substring(0, namespace.mysqlUrl().lastIndexOf('/') + 1);
    try (Connection connection = connect(namespace, server + "seckill");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE IF NOT EXISTS " + namespace.schema());
    }
    this.mysql = connect(namespace, namespace.mysqlUrl());
    this.client = RedisClient.create(namespace.redisUri());
    this.redis = client.connect();
    this.ledgerSha = redis.sync().scriptLoad(ledger.source());
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

  /** Makes this build's tables, for contenders that do not make them when they start. */
  void migrate() {
    new OrderDatabase(
            namespace.mysqlUrl(),
            namespace.mysqlUser(),
            namespace.mysqlPassword(),
            1,
            "classpath:sql/team",
            Duration.ofSeconds(30))
        .open()
        .close();
  }

  /** Opens sales directly in MySQL and Redis, for contenders without administration. */
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
    String preheat = loadScript("preheat");
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

  /** Sums over the books of several sales. */
  record Progress(long pending, long sold, long outbox) {
    /** Whether every order is relayed and confirmed. */
    boolean isDrained() {
      return pending == 0 && outbox == 0;
    }
  }

  Progress progress(long firstProduct, int products) {
    long pending = 0;
    long sold = 0;
    long outbox = 0;
    for (List<Object> reply : ledgers(firstProduct, products)) {
      pending += ledger.amount(reply, "pending");
      sold += ledger.amount(reply, "sold");
      outbox += ledger.amount(reply, "outboxLength");
    }
    return new Progress(pending, sold, outbox);
  }

  List<Book> books(long firstProduct, int products) throws SQLException {
    List<List<Object>> replies = ledgers(firstProduct, products);
    List<Book> books = new ArrayList<>();
    for (int i = 0; i < products; i++) {
      books.add(book(firstProduct + i, replies.get(i)));
    }
    return books;
  }

  private List<List<Object>> ledgers(long firstProduct, int products) {
    List<RedisFuture<List<Object>>> asked = new ArrayList<>();
    for (int i = 0; i < products; i++) {
      String[] keys = ledger.keys(firstProduct + i);
      asked.add(redis.async().evalsha(ledgerSha, ScriptOutputType.MULTI, keys));
    }
    return asked.stream().map(reply -> reply.toCompletableFuture().join()).toList();
  }

  private Book book(long productId, List<Object> reply) throws SQLException {
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
            Math.max(ledger.amount(reply, "initial"), row.getLong(4)),
            ledger.amount(reply, "restocked"),
            ledger.amount(reply, "available"),
            ledger.amount(reply, "pending"),
            ledger.amount(reply, "sold"),
            ledger.amount(reply, "writtenOff"),
            ledger.amount(reply, "outboxLength"),
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
   * Deletes the sales and all orders. The books are deleted one run later, when every relay knows
   * from MySQL that the sales are over. Returns when Redis has freed their memory.
   */
  void clear(long firstProduct, int products) throws SQLException, InterruptedException {
    try (Statement statement = mysql.createStatement()) {
      statement.execute(
          String.format(
              Locale.ROOT,
              "DELETE FROM products WHERE id BETWEEN %d AND %d",
              firstProduct,
              firstProduct + products - 1));
      statement.execute("TRUNCATE TABLE seckill_orders");
    }
    unlink(forgotten);
    forgotten.clear();
    for (int i = 0; i < products; i++) {
      forgotten.addAll(List.of(ledger.keys(firstProduct + i)));
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

  /** Empties this namespace's Redis database and drops its schema. */
  @Override
  public void close() throws SQLException {
    redis.sync().flushdbAsync();
    try (Statement statement = mysql.createStatement()) {
      statement.execute("DROP DATABASE " + namespace.schema());
    }
    client.shutdown(0, 1, TimeUnit.SECONDS);
    mysql.close();
  }
}
