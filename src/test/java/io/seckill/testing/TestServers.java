package io.seckill.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.book.BookKeys;
import io.seckill.domain.RequestId;
import io.seckill.embedded.EmbeddedServer;
import io.seckill.embedded.KafkaServer;
import io.seckill.kafka.ClientSecurity;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

/**
 * The real servers that tests run on, started once per JVM, empty, and stopped at its end: embedded
 * ones, containers with {@code -Dseckill.test.backends=testcontainers}, or with {@code external}
 * those of {@link ExternalTestServers}, which are neither started nor stopped.
 *
 * <p>Tests share them, so each takes products of its own ({@link Products#next()}). A test that
 * stops a server starts it again before it ends, on the same port and with the same data.
 */
public abstract class TestServers {
  private static final String BACKENDS = System.getProperty("seckill.test.backends", "embedded");

  /** Server, database, options. */
  private static final String URL_PARTS = "(jdbc:mysql://[^/]+/)([^?]*)(.*)";

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
            case "external" -> ExternalTestServers.start();
            default ->
                throw new IllegalArgumentException(
                    "seckill.test.backends must be embedded, testcontainers or external, not "
                        + BACKENDS);
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

  /** MariaDB where it is embedded. */
  public abstract EmbeddedServer mysql();

  /**
   * Runs statements as an administrator of the database server. The test is skipped where the tests
   * are not given that right.
   */
  public abstract void administrate(String... statements);

  /** Creates a user of MySQL without rights, anew where an earlier run has left one. */
  public final void createUser(String name, String password) {
    administrate(
        "DROP USER IF EXISTS " + name, "CREATE USER " + name + " IDENTIFIED BY '" + password + "'");
  }

  /** Drops a user of MySQL, with its rights. */
  public final void dropUser(String name) {
    administrate("DROP USER " + name);
  }

  /** Runs statements of an administrator over a connection of this user. */
  final void administrateAs(String user, String password, String... statements)
      throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                properties().get("seckill.mysql.url").replaceAll(URL_PARTS, "$1$3"),
                user,
                password);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The addresses, under the names that external mode reads. */
  public abstract Map<String, String> properties();

  /** Removes what an earlier run has left, also of applications that were apart. */
  final void empty() {
    redisCommands().flushall();
    try (Connection connection = serverConnection();
        Statement statement = connection.createStatement()) {
      for (String name : databases()) {
        if (isOfTests(name)) {
          statement.execute("DROP DATABASE " + name);
        }
      }
      statement.execute("CREATE DATABASE " + database() + " CHARACTER SET utf8mb4");
    } catch (SQLException e) {
      throw new IllegalStateException("The database cannot be made anew", e);
    }
    try (Admin admin = Admin.create(kafkaClient())) {
      admin.deleteTopics(topics()).all().get();
    } catch (Exception e) {
      throw new IllegalStateException("Kafka's topics cannot be deleted", e);
    }
  }

  final Set<String> topics() {
    try (Admin admin = Admin.create(kafkaClient())) {
      return admin.listTopics().names().get();
    } catch (Exception e) {
      throw new IllegalStateException("Kafka does not tell its topics", e);
    }
  }

  final List<String> databases() {
    List<String> names = new ArrayList<>();
    try (Connection connection = serverConnection();
        ResultSet databases = connection.getMetaData().getCatalogs()) {
      while (databases.next()) {
        names.add(databases.getString(1));
      }
      return names;
    } catch (SQLException e) {
      throw new IllegalStateException("MySQL does not tell its databases", e);
    }
  }

  /** Whether a database holds data of tests. */
  boolean isOfTests(String name) {
    return name.equals(database()) || name.startsWith(database() + "_");
  }

  /** The database that applications share. */
  final String database() {
    return properties().get("seckill.mysql.url").replaceAll(URL_PARTS, "$2");
  }

  /** JDBC URL of a database beside the one that applications share, made by who connects first. */
  public final String urlApart(String name) {
    String url = properties().get("seckill.mysql.url");
    return url.replaceAll(URL_PARTS, "$1$2_" + name + "$3")
        + (url.contains("?") ? "&" : "?")
        + "createDatabaseIfNotExist=true";
  }

  /** A connection to no database. */
  final Connection serverConnection() throws SQLException {
    Map<String, String> properties = properties();
    return DriverManager.getConnection(
        properties.get("seckill.mysql.url").replaceAll(URL_PARTS, "$1$3"),
        properties.get("seckill.mysql.user"),
        properties.get("seckill.mysql.password"));
  }

  /** Address of Redis. */
  public final String redisUri() {
    return properties().get("seckill.redis.uri");
  }

  /** The options with which a client of Kafka is let in. */
  public final Map<String, Object> kafkaClient() {
    return kafkaClient(properties());
  }

  /** The options of a client of a Kafka of a test's own. */
  public static Map<String, Object> kafkaClient(KafkaServer kafka) {
    Map<String, String> properties = new LinkedHashMap<>(kafka.login());
    properties.put("seckill.kafka.brokers", kafka.brokers());
    return kafkaClient(properties);
  }

  /** The options of a client of the Kafka that properties of the application tell of. */
  public static Map<String, Object> kafkaClient(Map<String, String> properties) {
    Map<String, Object> options = ClientSecurity.of(properties::get);
    options.put("bootstrap.servers", properties.get("seckill.kafka.brokers"));
    return options;
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

  /**
   * One unit pending under key {@code k}, as reserve.lua leaves it, its outbox entry relayed and
   * deleted.
   */
  public final void reserve(long product, long user) {
    RedisCommands<String, String> redis = redisCommands();
    String requestId = RequestId.of(product, user, "k").toString();
    redis.hset(BookKeys.users(product), "" + user, requestId + "|k|1|PENDING|9999999999999-1||");
    redis.zadd(BookKeys.pending(product), 9999999999999d, "" + user);
    redis.hincrby(BookKeys.sale(product), "available", -1);
    redis.hincrby(BookKeys.sale(product), "pending", 1);
    redis.hincrby(BookKeys.sale(product), "moves", 1);
  }
}
