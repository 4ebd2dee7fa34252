package io.seckill.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Brings the schema up to date with Flyway. The product's migrations and a team's own have separate
 * folders and histories, so that their versions do not collide.
 *
 * <p>MySQL commits each schema change at once, so a start that dies after any statement leaves a
 * migration half done, or done but missing in the history. The next start runs such a migration
 * again and skips the schema changes that are made already.
 */
final class Migrations {
  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

  private static final String PRODUCT = "classpath:sql/migration";
  private static final String PRODUCT_HISTORY = "flyway_schema_history";
  private static final String TEAM_HISTORY = "team_schema_history";

  /** Waits for another node's migration, however long it takes. */
  private static final int FOR_EVER = -1;

  /**
   * The errors of MySQL and MariaDB for a change that is made already: table, column, key, primary
   * key, foreign key or constraint exists, or the thing to drop is missing.
   */
  private static final Set<Integer> ALREADY_DONE =
      Set.of(1050, 1051, 1060, 1061, 1068, 1091, 1826, 3822);

  private final Begun connections;

  /**
   * @param connections migrations lift their limit on a statement's time, because changing a large
   *     table may take any time
   */
  Migrations(DataSource connections) {
    this.connections = new Begun(connections);
  }

  /**
   * Runs the new migrations of the product, then of the team.
   *
   * @param team the location of the team's migrations for Flyway, such as {@code
   *     classpath:sql/team}
   * @throws org.flywaydb.core.api.FlywayException when a migration fails, or the history and the
   *     migrations differ
   * @throws SQLException when the history cannot be written
   */
  void run(String team) throws SQLException {
    run(configuration(PRODUCT, PRODUCT_HISTORY));
    FluentConfiguration ofTeam =
        configuration(team, TEAM_HISTORY).baselineOnMigrate(true).baselineVersion("0");
    if (ofTeam.load().info().all().length > 0) {
      run(ofTeam);
    }
  }

  private FluentConfiguration configuration(String location, String history) {
    return Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(connections)
        .locations(location)
        .failOnMissingLocations(true)
        .table(history)
        .callbacks(connections.callback())
        .lockRetryCount(FOR_EVER);
  }

  private void run(FluentConfiguration configuration) throws SQLException {
    Flyway flyway = configuration.load();
    boolean failedBefore =
        Arrays.stream(flyway.info().all()).anyMatch(each -> each.getState().isFailed());
    if (failedBefore) {
      try (Connection connection = connections.getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("DELETE FROM " + configuration.getTable() + " WHERE success = 0");
      }
    }
    flyway.migrate();
  }

  /**
   * Connections that know whether the running migration was begun before. A table remembers this:
   * each migration gets a row before its first statement, which stays.
   */
  private static final class Begun extends DelegatingDataSource {
    private boolean again;

    private Begun(DataSource target) {
      super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      connection.setNetworkTimeout(Runnable::run, 0);
      return (Connection)
          Proxy.newProxyInstance(
              Begun.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                Object result = call(() -> method.invoke(connection, arguments));
                return result instanceof Statement statement
                        && !(result instanceof PreparedStatement)
                    ? forgiving(statement)
                    : result;
              });
    }

    private Statement forgiving(Statement statement) {
      return (Statement)
          Proxy.newProxyInstance(
              Begun.class.getClassLoader(),
              new Class<?>[] {Statement.class},
              (proxy, method, arguments) -> {
                try {
                  return call(() -> method.invoke(statement, arguments));
                } catch (SQLException e) {
                  if (!again
                      || !method.getName().equals("execute")
                      || !ALREADY_DONE.contains(e.getErrorCode())) {
                    throw e;
                  }
                  LOG.info("An earlier start has made this change already: {}", e.getMessage());
                  return false;
                }
              });
    }

    private interface Call {
      Object run() throws IllegalAccessException, InvocationTargetException;
    }

    private static Object call(Call call) throws Throwable {
      try {
        return call.run();
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private BaseCallback callback() {
      return new BaseCallback() {
        @Override
        public boolean supports(Event event, Context context) {
          return event == Event.BEFORE_EACH_MIGRATE;
        }

        @Override
        public void handle(Event event, Context context) {
          try {
            again = false;
            again = !begin(context);
          } catch (SQLException e) {
            throw new IllegalStateException("Cannot record the begin of a migration", e);
          }
        }
      };
    }

    /** Records the begin of this migration; true when it is the first. */
    private static boolean begin(Context context) throws SQLException {
      try (Statement statement = context.getConnection().createStatement()) {
        statement.execute(
            """
            CREATE TABLE IF NOT EXISTS migrations_begun (
              history VARCHAR(64)  CHARACTER SET utf8mb4 NOT NULL,
              script  VARCHAR(500) CHARACTER SET utf8mb4 NOT NULL,
              PRIMARY KEY (history, script)
            ) ENGINE = InnoDB
            """);
      }
      try (PreparedStatement insert =
          context
              .getConnection()
              .prepareStatement(
                  "INSERT IGNORE INTO migrations_begun (history, script) VALUES (?, ?)")) {
        insert.setString(1, context.getConfiguration().getTable());
        insert.setString(2, context.getMigrationInfo().getScript());
        return insert.executeUpdate() == 1;
      }
    }
  }
}
