package io.seckill.testing;

import io.seckill.embedded.EmbeddedServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/**
 * Servers that somebody else has started, at the addresses of {@code seckill.test.redis.uri},
 * {@code .kafka.brokers}, {@code .mysql.url}, {@code .mysql.user} and {@code .mysql.password}, or
 * of environment variables such as {@code SECKILL_TEST_REDIS_URI}. A test that would stop one of
 * them is skipped.
 *
 * <p>The tests empty these servers before they begin. So that nobody loses data by a wrong address
 * they do so only with servers that hold nothing, or that they have emptied before: a database that
 * they leave in MySQL says so.
 */
final class ExternalTestServers extends TestServers {
  private static final String MARK = "_belongs_to_tests";

  private final Map<String, String> properties = new LinkedHashMap<>();

  private ExternalTestServers() {
    for (String name :
        new String[] {"redis.uri", "kafka.brokers", "mysql.url", "mysql.user", "mysql.password"}) {
      String value = System.getProperty("seckill.test." + name, fromEnvironment(name));
      if (value == null || value.isBlank()) {
        throw new IllegalArgumentException(
            "-Dseckill.test.backends=external needs -Dseckill.test." + name);
      }
      properties.put("seckill." + name, value);
    }
    requirePlain("redis.uri", "rediss?://[^/?]+", "no database, for the tests take several");
    requirePlain("mysql.url", "jdbc:mysql://[^/?]+/\\w+(\\?.*)?", "a database");
  }

  private static String fromEnvironment(String name) {
    return System.getenv("SECKILL_TEST_" + name.toUpperCase(Locale.ROOT).replace('.', '_'));
  }

  private void requirePlain(String name, String form, String part) {
    String value = properties.get("seckill." + name);
    if (!value.matches(form)) {
      throw new IllegalArgumentException("seckill.test." + name + " must name " + part + ".");
    }
  }

  /**
   * @throws IllegalStateException when one of them does not answer, or holds something that no test
   *     has left
   */
  static TestServers start() {
    ExternalTestServers servers = new ExternalTestServers();
    servers.requireOurs();
    servers.empty();
    return servers;
  }

  private void requireOurs() {
    String mark = database() + MARK;
    if (databases().contains(mark)) {
      return;
    }
    Optional<String> found =
        databases().stream()
            .filter(this::isOfTests)
            .filter(this::hasTables)
            .findFirst()
            .map(name -> "MySQL has tables in the database " + name)
            .or(
                () ->
                    redisCommands().info("keyspace").contains("keys=")
                        ? Optional.of("Redis holds keys")
                        : Optional.empty())
            .or(() -> topics().stream().findFirst().map(topic -> "Kafka has a topic " + topic));
    if (found.isPresent()) {
      throw new IllegalStateException(
          found.get()
              + ", and the tests would delete everything there: give them servers that are empty. (If you know that"
              + " all three are for the tests alone: CREATE DATABASE "
              + mark
              + ".)");
    }
    try (Connection connection = serverConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + mark);
    } catch (SQLException e) {
      throw new IllegalStateException("The tests need a MySQL user that may create databases", e);
    }
  }

  private boolean hasTables(String database) {
    try (Connection connection = serverConnection();
        ResultSet tables = connection.getMetaData().getTables(database, null, "%", null)) {
      return tables.next();
    } catch (SQLException e) {
      throw new IllegalStateException("MySQL does not tell its tables", e);
    }
  }

  @Override
  boolean isOfTests(String database) {
    return super.isOfTests(database) && !database.endsWith(MARK);
  }

  @Override
  public EmbeddedServer redis() {
    return new ForeignServer("Redis");
  }

  @Override
  public EmbeddedServer kafka() {
    return new ForeignServer("Kafka");
  }

  @Override
  public EmbeddedServer mysql() {
    return new ForeignServer("MySQL");
  }

  @Override
  public void administrate(String... statements) {
    try {
      administrateAs(
          properties.get("seckill.mysql.user"),
          properties.get("seckill.mysql.password"),
          statements);
    } catch (SQLException e) {
      throw new TestAbortedException(
          "Skipped: the user of seckill.test.mysql.user may not do what the test needs: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public Map<String, String> properties() {
    return Map.copyOf(properties);
  }

  private record ForeignServer(String name) implements EmbeddedServer {
    @Override
    public int port() {
      throw notOurs("know the port of");
    }

    /** It always runs. */
    @Override
    public void start() {}

    @Override
    public void stop() {
      throw notOurs("stop");
    }

    @Override
    public void stopHard() {
      throw notOurs("kill");
    }

    @Override
    public boolean isRunning() {
      return true;
    }

    private TestAbortedException notOurs(String what) {
      return new TestAbortedException(
          "Skipped: it must "
              + what
              + " "
              + name
              + ", and seckill.test.backends=external gives a server that others run.");
    }
  }
}
