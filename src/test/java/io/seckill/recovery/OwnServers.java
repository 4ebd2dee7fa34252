package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.domain.RequestId;
import io.seckill.embedded.RedisServer;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A Redis of its own for tests that lose what Redis holds, with a database and topics of their own
 * on the MySQL and Kafka that tests share: nobody else's sales are harmed, and nobody else's
 * writers write.
 */
final class OwnServers implements AutoCloseable {
  private static final Path DIRECTORY = Path.of("target", "recovery");

  private final Path redisFiles;
  private final RedisServer redis;
  private final String name = UUID.randomUUID().toString().substring(0, 8);
  private final String mysqlUrl = TestServers.get().urlApart("recovery_" + name);
  private RedisClient client;
  private StatefulRedisConnection<String, String> connection;

  private OwnServers(Path redisFiles, RedisServer redis) {
    this.redisFiles = redisFiles;
    this.redis = redis;
  }

  static OwnServers start() {
    try {
      Files.createDirectories(DIRECTORY);
      Path redisFiles = Files.createTempDirectory(DIRECTORY, "redis");
      // a Redis that is killed keeps everything, however slow the disk is
      RedisServer redis = new RedisServer(redisFiles, 0, List.of("appendfsync always"));
      redis.start();
      Runtime.getRuntime().addShutdownHook(new Thread(redis::stopHard));
      return new OwnServers(redisFiles, redis);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What an application on these servers needs. */
  Map<String, String> properties(Map<String, String> overrides) {
    Map<String, String> properties = new LinkedHashMap<>(TestServers.get().properties());
    properties.put("seckill.redis.uri", redis.uri());
    properties.put("seckill.mysql.url", mysqlUrl);
    properties.put("seckill.orders.topic", ordersTopic());
    properties.put("seckill.dead-letters.topic", "recovery-dlq-" + name);
    properties.put("seckill.writer.group", "recovery-writer-" + name);
    properties.put("seckill.dead-letters.group", "recovery-dlq-" + name);
    properties.putAll(overrides);
    return properties;
  }

  String ordersTopic() {
    return "recovery-orders-" + name;
  }

  TestApplication application() {
    return application(Map.of());
  }

  TestApplication application(Map<String, String> overrides) {
    return TestApplication.start(properties(overrides));
  }

  /** Writes an order of one unit and of epoch 1, which no book knows. */
  void insertOrder(long productId, long userId, String key, String status) {
    update(
        "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
            + " attempt, epoch, outbox_id, created_at) VALUES (?, ?, ?, 1, ?, ?, 'test', 1,"
            + " '5-5', 0)",
        RequestId.of(productId, userId, key).toString(),
        productId,
        userId,
        productId + ":" + userId + ":" + key,
        status);
  }

  RedisServer redis() {
    return redis;
  }

  /** The folder of Redis's data, password and executable. */
  Path redisFiles() {
    return redisFiles;
  }

  synchronized RedisCommands<String, String> commands() {
    if (connection == null) {
      client = RedisClient.create(redis.uri());
      connection = client.connect();
    }
    return connection.sync();
  }

  /** Starts Redis with the files it had when they were copied, as from a backup. */
  void restartRedisFrom(Path copy) {
    redis.stop();
    copy(copy, aof());
    redis.start();
  }

  /** Copies Redis's files while it works, as a backup does. */
  Path copyOfRedis() {
    try {
      Path copy = Files.createTempFile(DIRECTORY, "copy", ".aof");
      copy(aof(), copy);
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path aof() {
    return redisFiles.resolve("appendonly.aof");
  }

  private static void copy(Path from, Path to) {
    try {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Connection open() throws SQLException {
    Map<String, String> servers = TestServers.get().properties();
    return DriverManager.getConnection(
        mysqlUrl, servers.get("seckill.mysql.user"), servers.get("seckill.mysql.password"));
  }

  long number(String sql, Object... arguments) {
    try (Connection open = open();
        PreparedStatement statement = prepare(open, sql, arguments);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  String text(String sql, Object... arguments) {
    try (Connection open = open();
        PreparedStatement statement = prepare(open, sql, arguments);
        ResultSet result = statement.executeQuery()) {
      return result.next() ? result.getString(1) : null;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  int update(String sql, Object... arguments) {
    try (Connection open = open();
        PreparedStatement statement = prepare(open, sql, arguments)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static PreparedStatement prepare(Connection open, String sql, Object... arguments)
      throws SQLException {
    PreparedStatement statement = open.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }

  /** Units of the orders of a sale. */
  long ordered(long productId) {
    return number(
        "SELECT COALESCE(SUM(quantity), 0) FROM seckill_orders WHERE product_id = ? AND status ="
            + " 'SUCCESS'",
        productId);
  }

  /** Waits until so many units are sold, none is pending and the ledger balances. */
  void awaitSold(Shop shop, long productId, long units) {
    await(units + " units of " + productId + " sold")
        .atMost(60, TimeUnit.SECONDS)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              JsonNode ledger = shop.ledger(productId);
              assertThat(ledger.path("sold").asLong()).as(ledger.toString()).isEqualTo(units);
              assertThat(ledger.path("pending").asLong()).as(ledger.toString()).isZero();
              assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
            });
    assertThat(ordered(productId)).isEqualTo(units);
  }

  @Override
  public void close() {
    if (client != null) {
      client.shutdown();
    }
    redis.stop();
  }
}
