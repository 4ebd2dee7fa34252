package io.seckill.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.seckill.StartRefusedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The pool of connections to MySQL. Connecting, reading an answer and waiting for a row have
 * limits, so that a database that hangs counts as away.
 *
 * @param url JDBC URL of the mysql driver; its options override those set here
 * @param poolSize largest number of connections
 * @param teamMigrations location of a team's own migrations, as Flyway names locations
 * @param startTimeout how long {@link #open()} waits for a database that is not up yet
 */
public record OrderDatabase(
    String url,
    String user,
    String password,
    int poolSize,
    String teamMigrations,
    Duration startTimeout) {
  private static final Duration CONNECTION_WAIT = Duration.ofSeconds(3);
  private static final Duration VALIDATION_WAIT = Duration.ofSeconds(2);

  /** How often the pool uses an idle connection; the least that HikariCP takes. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

  private static final Duration CONNECTION_PAUSE = Duration.ofMillis(250);

  private static final String SESSION = "sessionVariables";

  /**
   * Options of Connector/J. Batches travel as multi-row statements. The driver counts parameters
   * itself, which saves a round trip for each statement.
   */
  private static final Map<String, String> DRIVER_OPTIONS =
      Map.of(
          "rewriteBatchedStatements",
          "true",
          "generateSimpleParameterMetadata",
          "true",
          "cacheServerConfiguration",
          "true",
          "useLocalSessionState",
          "true",
          "connectTimeout",
          "2000",
          "socketTimeout",
          "15000",
          "tcpKeepAlive",
          "true",
          SESSION,
          "innodb_lock_wait_timeout=5");

  /**
   * A node that sleeps within a transaction keeps its rows for so many seconds without a statement;
   * then the server closes the connection and rolls back. {@link #KEEP_ALIVE} uses idle connections
   * more often.
   */
  private static final String IDLE_LIMIT = ",wait_timeout=60";

  @Override
  public String toString() {
    return "OrderDatabase[" + url + "]";
  }

  /**
   * Connects and brings the schema up to date.
   *
   * @throws StartRefusedException when the database refuses this user, does not answer within the
   *     start timeout, or a migration fails
   */
  public HikariDataSource open() {
    StartRefusals refusals = new StartRefusals(url, user);
    DataSource connections = withoutPool();
    awaitConnection(connections, refusals);
    try {
      new Migrations(connections).run(teamMigrations);
    } catch (FlywayException | SQLException e) {
      throw refusals.ofMigrating(e);
    }
    return pool();
  }

  private DataSource withoutPool() {
    Properties options = new Properties();
    options.setProperty("user", user);
    options.setProperty("password", password);
    options.putAll(driverOptions());
    return new DriverManagerDataSource(url, options);
  }

  /** The options that the URL leaves open. */
  private Map<String, String> driverOptions() {
    Map<String, String> options = new HashMap<>(DRIVER_OPTIONS);
    options.keySet().removeIf(option -> url.contains(option + "="));
    return options;
  }

  private void awaitConnection(DataSource connections, StartRefusals refusals) {
    long limit = System.nanoTime() + startTimeout.toNanos();
    while (true) {
      try {
        connections.getConnection().close();
        return;
      } catch (SQLException e) {
        refusals
            .ofConnecting(e)
            .ifPresent(
                refusal -> {
                  throw refusal;
                });
        if (System.nanoTime() > limit) {
          throw refusals.ofWaiting(e, startTimeout.toSeconds());
        }
      }
      try {
        Thread.sleep(CONNECTION_PAUSE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StartRefusedException("Interrupted while waiting for MySQL.", e);
      }
    }
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("seckill");
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(poolSize);
    config.setMinimumIdle(Math.min(2, poolSize));
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionTimeout(CONNECTION_WAIT.toMillis());
    config.setValidationTimeout(VALIDATION_WAIT.toMillis());
    config.setKeepaliveTime(KEEP_ALIVE.toMillis());
    config.setInitializationFailTimeout(startTimeout.toMillis());
    Map<String, String> options = driverOptions();
    // not for migrations: Flyway waits with one connection while it works with another
    options.computeIfPresent(SESSION, (name, variables) -> variables + IDLE_LIMIT);
    options.forEach(config::addDataSourceProperty);
    LeavesReplicas override = new LeavesReplicas();
    config.setExceptionOverride(override);
    HikariDataSource dataSource = new HikariDataSource(config);
    override.pool = dataSource.getHikariPoolMXBean();
    return dataSource;
  }

  /**
   * Closes connections to a primary that has become read-only, and so is a replica now. Each closes
   * after its work, so that the pool finds the new primary behind the same address.
   */
  private static final class LeavesReplicas implements SQLExceptionOverride {
    private volatile HikariPoolMXBean pool;

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
      HikariPoolMXBean connections = pool;
      if (connections != null && MySqlFault.of(failure).equals(Optional.of(MySqlFault.READ_ONLY))) {
        connections.softEvictConnections();
      }
      return Override.CONTINUE_EVICT;
    }
  }
}
