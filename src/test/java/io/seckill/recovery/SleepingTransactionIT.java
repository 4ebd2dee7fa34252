package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.seckill.sql.OrderDatabase;
import io.seckill.testing.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a node keeps locked that sleeps within a transaction. */
class SleepingTransactionIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String url =
      TestServers.get().urlApart("sleeping_" + UUID.randomUUID().toString().substring(0, 8));

  @Test
  void shouldLimitTheTimeBetweenTwoStatementsOfATransaction() throws SQLException {
    try (HikariDataSource pool = pool(url);
        Connection connection = pool.getConnection()) {
      assertThat(number(connection, "SELECT @@SESSION.wait_timeout")).isEqualTo(60);
      assertThat(pool.getKeepaliveTime()).isLessThan(60_000);
    }
  }

  @Test
  void shouldGiveUpTheSaleOfANodeThatSleepsInATransaction() throws SQLException {
    try (HikariDataSource pool = pool(with("wait_timeout=2,innodb_lock_wait_timeout=1"))) {
      try (Connection sleeper = pool.getConnection();
          Connection other = pool.getConnection()) {
        execute(other, "CREATE TABLE sale (id INT PRIMARY KEY, sold INT) ENGINE = InnoDB");
        execute(other, "INSERT INTO sale VALUES (1, 0)");
        sleeper.setAutoCommit(false);
        execute(sleeper, "UPDATE sale SET sold = 7 WHERE id = 1");
        assertThatThrownBy(() -> execute(other, "UPDATE sale SET sold = sold + 1"))
            .hasMessageContaining("Lock wait timeout");

        await()
            .atMost(LIMIT)
            .ignoreExceptions()
            .until(
                () -> {
                  execute(other, "UPDATE sale SET sold = sold + 1");
                  return true;
                });

        assertThat(number(other, "SELECT sold FROM sale")).isEqualTo(1);
        assertThatThrownBy(sleeper::commit).isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void shouldKeepTheLockOfARebuildThatTakesLonger() throws SQLException {
    try (HikariDataSource pool = pool(with("wait_timeout=2"))) {
      try (RebuildLock lock = RebuildLock.take(pool, 1);
          Connection idle = pool.getConnection();
          Connection other = pool.getConnection()) {
        long id = number(idle, "SELECT CONNECTION_ID()");
        await("an idle connection is closed")
            .atMost(LIMIT)
            .until(
                () ->
                    number(
                            other,
                            "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + id)
                        == 0);
        assertThatCode(lock::requireHeld).doesNotThrowAnyException();
        assertThat(RebuildLock.isFree(pool, 1)).isFalse();
      }
      assertThat(RebuildLock.isFree(pool, 1)).isTrue();
    }
  }

  private String with(String variables) {
    return url + (url.contains("?") ? "&" : "?") + "sessionVariables=" + variables;
  }

  private static HikariDataSource pool(String url) {
    Map<String, String> servers = TestServers.get().properties();
    return new OrderDatabase(
            url,
            servers.get("seckill.mysql.user"),
            servers.get("seckill.mysql.password"),
            4,
            "classpath:sql/team",
            LIMIT)
        .open();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
