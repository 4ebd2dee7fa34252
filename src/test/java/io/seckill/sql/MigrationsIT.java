package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.testing.TestServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class MigrationsIT {
  private static final TestServers SERVERS = TestServers.get();
  private static final String NO_TEAM = "classpath:sql/team";
  private static final String DATABASE =
      SERVERS.urlApart("migrations").replaceAll(".*/([^?]*).*", "$1");
  private static final String REFERENCE = DATABASE + "_reference";

  private final DataSource connections = connections("migrations", "");

  private static DataSource connections(String name, String options) {
    Map<String, String> properties = SERVERS.properties();
    Properties login = new Properties();
    login.setProperty("user", properties.get("seckill.mysql.user"));
    login.setProperty("password", properties.get("seckill.mysql.password"));
    return new DriverManagerDataSource(SERVERS.urlApart(name) + options, login);
  }

  @BeforeEach
  @AfterEach
  void drop() {
    for (String database : List.of(DATABASE, REFERENCE)) {
      SERVERS.update("DROP DATABASE IF EXISTS " + database);
    }
  }

  @Test
  void shouldBeRunAgainAfterACrashAtAnyStatement() throws SQLException {
    new Migrations(connections("migrations_reference", "")).run(NO_TEAM);
    int statement = 0;
    boolean reached;
    do {
      statement++;
      drop(DATABASE);
      Crashing crashing = new Crashing(connections, statement);
      try {
        new Migrations(crashing).run(NO_TEAM);
        assertThat(crashing.crashed).as("statement " + statement).isFalse();
      } catch (FlywayException | SQLException expected) {
        assertThat(crashing.crashed).as(expected.getMessage()).isTrue();
      }
      reached = crashing.crashed;
      new Migrations(connections).run(NO_TEAM);
      assertThat(schema(DATABASE))
          .as("statement " + statement)
          .containsExactlyElementsOf(schema(REFERENCE));
      assertThat(history("flyway_schema_history")).isEqualTo(historyOfReference());
    } while (reached);
    assertThat(statement).isGreaterThan(10);
  }

  @Test
  void shouldNotPassOverWhatIsThereBeforeItBegins() throws SQLException {
    new Migrations(connections).run(NO_TEAM);
    execute("CREATE TABLE order_details (nothing INT)");

    assertThatThrownBy(() -> new Migrations(connections).run("classpath:team/details"))
        .isInstanceOf(FlywayException.class)
        .hasMessageContaining("order_details");
  }

  @Test
  void shouldWaitForAStatementLongerThanTheLimitOfConnections() throws SQLException {
    new Migrations(connections("migrations", "&socketTimeout=1000")).run("classpath:team/slow");

    assertThat(columns("after_the_slow")).isEqualTo(1);
  }

  @Test
  void shouldNumberTheMigrationsOfATeamApart() throws SQLException {
    new Migrations(connections).run("classpath:team/details");
    assertThat(history("team_schema_history")).contains("100");
    assertThat(history("flyway_schema_history")).doesNotContain("100").contains("10");

    // the product's last version as if it were new
    execute("DROP TABLE webhooks, webhook_deliveries");
    execute("DELETE FROM flyway_schema_history WHERE version = '10'");
    execute("DELETE FROM migrations_begun WHERE script LIKE 'V10%'");
    new Migrations(connections).run("classpath:team/details");
    assertThat(columns("webhooks")).isEqualTo(12);
    assertThat(columns("order_details")).isEqualTo(2);
  }

  @Test
  void shouldRunAMendedMigrationOfATeam() throws SQLException {
    assertThatThrownBy(() -> new Migrations(connections).run("classpath:team/broken"))
        .isInstanceOf(FlywayException.class)
        .hasMessageContaining("VARCHER");

    new Migrations(connections).run("classpath:team/mended");
    assertThat(columns("details")).isEqualTo(2);
    assertThat(history("team_schema_history")).contains("1");
  }

  @Test
  void shouldSayThatAFolderIsNotThere() {
    assertThatThrownBy(() -> new Migrations(connections).run("classpath:no/such/folder"))
        .hasMessageContaining("no/such/folder");
  }

  /** Every column and every key, but those of Flyway's own table. */
  private static List<String> schema(String database) {
    return SERVERS
        .rows(
            "SELECT CONCAT_WS(' ', table_name, column_name, ordinal_position, column_default,"
                + " is_nullable, column_type, extra) AS part FROM information_schema.columns"
                + " WHERE table_schema = ?"
                + " UNION ALL SELECT CONCAT_WS(' ', table_name, index_name, seq_in_index,"
                + " column_name, non_unique) FROM information_schema.statistics"
                + " WHERE table_schema = ? ORDER BY 1",
            database,
            database)
        .stream()
        .map(row -> (String) row.get("part"))
        .filter(part -> !part.startsWith("flyway_schema_history "))
        .toList();
  }

  private static List<Object> history(String table) {
    return history(DATABASE, table);
  }

  private static List<Object> historyOfReference() {
    return history(REFERENCE, "flyway_schema_history");
  }

  private static List<Object> history(String database, String table) {
    return SERVERS
        .rows("SELECT version FROM " + database + "." + table + " WHERE success = 1 ORDER BY 1")
        .stream()
        .map(row -> row.get("version"))
        .toList();
  }

  private static long columns(String table) {
    return SERVERS.number(
        "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = ? AND table_name = ?",
        DATABASE,
        table);
  }

  private static void drop(String database) {
    SERVERS.update("DROP DATABASE IF EXISTS " + database);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Connections of a process that dies when a statement is done, before it hears so. */
  private static final class Crashing extends DelegatingDataSource {
    private final int dieAt;
    private int statements;
    private boolean crashed;

    private Crashing(DataSource target, int dieAt) {
      super(target);
      this.dieAt = dieAt;
    }

    @Override
    public Connection getConnection() throws SQLException {
      if (crashed) {
        throw dead();
      }
      Connection connection = super.getConnection();
      return proxy(
          Connection.class,
          (method, arguments) -> {
            if (crashed && !method.getName().matches("close|isClosed|isValid|abort")) {
              throw dead();
            }
            Object result = method.invoke(connection, arguments);
            return result instanceof Statement statement
                    && method.getName().equals("createStatement")
                ? proxy(Statement.class, (name, values) -> run(connection, statement, name, values))
                : result;
          });
    }

    private Object run(
        Connection connection,
        Statement statement,
        java.lang.reflect.Method method,
        Object[] arguments)
        throws Exception {
      boolean counts = method.getName().equals("execute") && ++statements == dieAt;
      Object result = method.invoke(statement, arguments);
      if (counts) {
        die(connection);
      }
      return result;
    }

    private void die(Connection connection) throws SQLException {
      crashed = true;
      connection.abort(Runnable::run);
      throw dead();
    }

    private static SQLException dead() {
      return new SQLRecoverableException("The process is dead", "08S01");
    }

    private interface Handler {
      Object call(java.lang.reflect.Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
      return type.cast(
          Proxy.newProxyInstance(
              Crashing.class.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> {
                try {
                  return handler.call(method, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }
  }
}
