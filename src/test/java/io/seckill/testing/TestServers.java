package io.seckill.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.embedded.EmbeddedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The real servers that tests run on, started once per JVM, empty, and stopped at its end: embedded
 * ones, or containers with {@code -Dseckill.test.backends=testcontainers}.
 *
 * <p>Tests share them, so each takes products of its own ({@link Products#next()}). A test that
 * stops a server starts it again before it ends, on the same port and with the same data.
 */
public abstract class TestServers {
  private static final String BACKENDS = System.getProperty("seckill.test.backends", "embedded");

  private static TestServers instance;
  private static final Deque<AutoCloseable> AT_END = new ArrayDeque<>();

  private final Object clientLock = new Object();
  private RedisClient redisClient;
  private StatefulRedisConnection<String, String> redisConnection;

  TestServers() {}

  /** The servers, started by the first caller. */
  public static synchronized TestServers get() {
    if (instance == null) {
      Runtime.getRuntime().addShutdownHook(new Thread(TestServers::closeAll, "test-servers-stop"));
      instance =
          switch (BACKENDS) {
            case "embedded" -> EmbeddedTestServers.start();
            case "testcontainers" -> ContainerTestServers.start();
            default ->
                throw new IllegalArgumentException(
                    "seckill.test.backends must be embedded or testcontainers, not " + BACKENDS);
          };
    }
    return instance;
  }

  /** Closes something at the end of the JVM, before the servers and what was given earlier. */
  static synchronized void atEnd(AutoCloseable closeable) {
    AT_END.push(closeable);
  }

  private static synchronized void closeAll() {
    while (!AT_END.isEmpty()) {
      try {
        AT_END.pop().close();
      } catch (Exception e) {
        System.err.println("Not closed at the end of the tests: " + e);
      }
    }
  }

  public abstract EmbeddedServer redis();

  public abstract EmbeddedServer kafka();

  /** MariaDB, or MySQL from a container. */
  public abstract EmbeddedServer mysql();

  /** The addresses, under the names that external mode reads. */
  public abstract Map<String, String> properties();

  /** Address of Redis. */
  public final String redisUri() {
    return properties().get("seckill.redis.uri");
  }

  /** Address of Kafka. */
  public final String brokers() {
    return properties().get("seckill.kafka.brokers");
  }

  /** A new connection to the database, which the caller closes. */
  public final Connection connection() throws SQLException {
    Map<String, String> properties = properties();
    return DriverManager.getConnection(
        properties.get("seckill.mysql.url"),
        properties.get("seckill.mysql.user"),
        properties.get("seckill.mysql.password"));
  }

  /** The rows of a query, in order, each from column label to value. */
  public final List<Map<String, Object>> rows(String sql, Object... arguments) {
    try (Connection connection = connection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, arguments);
      try (ResultSet result = statement.executeQuery()) {
        ResultSetMetaData columns = result.getMetaData();
        List<Map<String, Object>> rows = new ArrayList<>();
        while (result.next()) {
          Map<String, Object> row = new LinkedHashMap<>();
          for (int i = 1; i <= columns.getColumnCount(); i++) {
            row.put(columns.getColumnLabel(i), result.getObject(i));
          }
          rows.add(row);
        }
        return rows;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /** The single number a query yields, 0 for NULL. */
  public final long number(String sql, Object... arguments) {
    try (Connection connection = connection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, arguments);
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          throw new IllegalStateException(sql + " yields no row");
        }
        return result.getLong(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /** Runs a statement in a transaction of its own and returns the number of rows it changed. */
  public final int update(String sql, Object... arguments) {
    try (Connection connection = connection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, arguments);
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  private static void set(PreparedStatement statement, Object... arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
  }

  /** Redis as a test looks into it, over one connection that all tests share. */
  public final RedisCommands<String, String> redisCommands() {
    synchronized (clientLock) {
      if (redisConnection == null) {
        redisClient = RedisClient.create(redisUri());
        redisConnection = redisClient.connect();
        atEnd(redisClient::shutdown);
      }
      return redisConnection.sync();
    }
  }
}
