package io.seckill.recovery;

import io.seckill.answer.Refusal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Allows one rebuild of a sale at a time, on all nodes: a named lock of MySQL on a separate
 * connection. A node that dies loses its connection and so the lock; one that sleeps keeps it for
 * an hour at most.
 */
public final class RebuildLock implements AutoCloseable {
  /**
   * Contains the database, because lock names are global to the server, which several installations
   * may share.
   */
  private static final String NAME = "CONCAT('rebuild-', LEFT(SHA2(DATABASE(), 256), 12), '-', ?)";

  private static final int VALIDATION_SECONDS = 2;

  /** The longest rebuild: its connection waits while others work. */
  private static final int LONGEST_SECONDS = 3_600;

  private final Connection connection;
  private final long productId;

  private final int usualSeconds;

  private RebuildLock(Connection connection, long productId, int usualSeconds) {
    this.connection = connection;
    this.productId = productId;
    this.usualSeconds = usualSeconds;
  }

  /**
   * Takes the lock without waiting.
   *
   * @throws Refusal 409 REBUILDING when another rebuild of this sale runs
   */
  static RebuildLock take(DataSource dataSource, long productId) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      if (ask(connection, "SELECT GET_LOCK(" + NAME + ", 0)", productId) == 1) {
        int usual = ask(connection, "SELECT @@SESSION.wait_timeout");
        waitFor(connection, LONGEST_SECONDS);
        return new RebuildLock(connection, productId, usual);
      }
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    connection.close();
    throw Refusal.of(409, "REBUILDING", "A rebuild of this sale is under way.")
        .with("productId", productId)
        .retryAfter(1);
  }

  /** Whether no rebuild of this sale is running. */
  static boolean isFree(DataSource dataSource, long productId) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return ask(connection, "SELECT IS_FREE_LOCK(" + NAME + ")", productId) == 1;
    }
  }

  /**
   * Checks that this connection still has the lock.
   *
   * @throws Refusal 503 DEGRADED when it was lost
   */
  void requireHeld() {
    try {
      if (ask(connection, "SELECT IS_USED_LOCK(" + NAME + ") = CONNECTION_ID()", productId) == 1) {
        return;
      }
    } catch (SQLException e) {
      throw lost(e.getMessage());
    }
    throw lost("MySQL says that another connection has it");
  }

  private Refusal lost(String why) {
    return Refusal.of(503, "DEGRADED", "The rebuild lost its lock: " + why + ". Call again.")
        .with("productId", productId)
        .retryAfter(1);
  }

  private static void waitFor(Connection connection, int seconds) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION wait_timeout = " + seconds);
    }
  }

  private static int ask(Connection connection, String question, long... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(question)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setString(i + 1, Long.toString(arguments[i]));
      }
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        return answer.getInt(1);
      }
    }
  }

  /** Releases the lock. When it was lost with its connection, the pool drops the connection. */
  @Override
  public void close() throws SQLException {
    try (connection) {
      if (connection.isValid(VALIDATION_SECONDS)) {
        ask(connection, "SELECT RELEASE_LOCK(" + NAME + ")", productId);
        waitFor(connection, usualSeconds);
      }
    }
  }
}
