package io.seckill.testing;

import io.seckill.embedded.EmbeddedServer;
import io.seckill.embedded.EmbeddedServerException;
import io.seckill.embedded.EmbeddedServers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * The embedded servers, under {@code target/test-servers}; binaries and system tables stay for the
 * next run.
 */
final class EmbeddedTestServers extends TestServers {
  private static final int JVMS_SIDE_BY_SIDE = 8;

  private final EmbeddedServers servers;

  private EmbeddedTestServers(EmbeddedServers servers) {
    this.servers = servers;
  }

  static TestServers start() {
    EmbeddedTestServers started = new EmbeddedTestServers(startOnFreeDirectory());
    atEnd(started.servers);
    started.empty();
    return started;
  }

  private static EmbeddedServers startOnFreeDirectory() {
    EmbeddedServerException inUse = null;
    for (int i = 1; i <= JVMS_SIDE_BY_SIDE; i++) {
      try {
        return EmbeddedServers.start(
            new EmbeddedServers.Plan(
                Path.of("target", "test-servers", "jvm-" + i), 0, 0, 0, false));
      } catch (EmbeddedServerException e) {
        if (!e.getMessage().startsWith("Another application")) {
          throw e;
        }
        inUse = e;
      }
    }
    throw inUse;
  }

  /** Removes what an earlier run has left, also of applications that were apart. */
  private void empty() {
    redisCommands().flushall();
    List<Map<String, Object>> databases =
        rows("SELECT schema_name AS name FROM information_schema.schemata");
    try (var connection = DriverManager.getConnection(serverUrl(), user(), password());
        var statement = connection.createStatement()) {
      for (Map<String, Object> database : databases) {
        String name = (String) database.get("name");
        if (name.equals("seckill") || name.startsWith("seckill_")) {
          statement.execute("DROP DATABASE " + name);
        }
      }
      statement.execute("CREATE DATABASE seckill CHARACTER SET utf8mb4");
    } catch (SQLException e) {
      throw new IllegalStateException("The database cannot be made anew", e);
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers()))) {
      Collection<String> topics = admin.listTopics().names().get();
      admin.deleteTopics(topics).all().get();
    } catch (Exception e) {
      throw new IllegalStateException("Kafka's topics cannot be deleted", e);
    }
  }

  private String serverUrl() {
    return servers.mariaDb().url().replaceAll("/[^/]*$", "/");
  }

  private String user() {
    return servers.mariaDb().user();
  }

  private String password() {
    return servers.mariaDb().password();
  }

  @Override
  public EmbeddedServer redis() {
    return servers.redis().orElseThrow();
  }

  @Override
  public EmbeddedServer kafka() {
    return servers.kafka().orElseThrow();
  }

  @Override
  public EmbeddedServer mysql() {
    return servers.mariaDb();
  }

  @Override
  public Map<String, String> properties() {
    return servers.properties();
  }
}
