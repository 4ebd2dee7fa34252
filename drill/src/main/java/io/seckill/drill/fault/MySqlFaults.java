package io.seckill.drill.fault;

import io.seckill.drill.lab.Stores;
import io.seckill.drill.net.TcpProxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Faults in which MySQL is away, slow, refuses, locks, or leaves the outcome of a COMMIT unknown.
 */
final class MySqlFaults {
  private static final long SHORT = 1_000;
  private static final long PATIENCE = 8_000;
  private static final int MANY_CONNECTIONS = 400;
  private static final String LOCK_WAIT = "Lock wait timeout exceeded";
  private static final String DEADLOCK = "Deadlock found";

  private MySqlFaults() {}

  static List<Fault> all() {
    List<Fault> faults = new ArrayList<>();
    Faults.network(faults, "mysql", scene -> scene.lab().mysqlNetwork(), false, 1_000);
    faults.add(
        Fault.ownServers(
            "mysql-kill",
            "MySQL is killed and started again.",
            scene -> Faults.killAndStart(scene, scene.lab().mysql(), SHORT / 2)));
    faults.add(
        Fault.ownServers(
            "mysql-pause",
            "MySQL stands still (SIGSTOP) for two seconds.",
            scene -> Faults.suspend(scene, scene.lab().mysql(), SHORT * 2)));
    faults.add(
        Fault.ownServers(
            "mysql-pause-long",
            "MySQL stands still (SIGSTOP) longer than every time-out.",
            scene -> Faults.suspend(scene, scene.lab().mysql(), Faults.LONG)));
    faults.add(
        Fault.anywhere(
            "mysql-cut-before-commit",
            "Connections are cut before a COMMIT arrives.",
            scene -> cutOnCommit(scene, TcpProxy.When.BEFORE_IT_ARRIVES)));
    faults.add(
        Fault.anywhere(
            "mysql-cut-after-commit",
            "Connections are cut after a COMMIT was done, before its reply.",
            scene -> cutOnCommit(scene, TcpProxy.When.AFTER_IT_IS_DONE)));
    faults.add(
        Fault.ownServers(
            "mysql-no-connections",
            "Others hold all connections of MySQL.",
            MySqlFaults::noConnections));
    faults.add(
        Fault.ownServers(
            "mysql-lock-wait",
            "Another transaction holds the sale's row longer than the lock-wait time-out.",
            MySqlFaults::lockWait));
    faults.add(
        Fault.ownServers(
            "mysql-deadlock",
            "Another transaction locks rows in the other order.",
            MySqlFaults::deadlock));
    faults.add(
        Fault.ownServers(
            "mysql-refuses",
            "MySQL refuses the orders of some buyers: they become dead letters.",
            scene -> {
              refuseSome(scene);
              scene.pause(SHORT * 2);
              refuseNoMore(scene);
            }));
    return faults;
  }

  private static void cutOnCommit(Scene scene, TcpProxy.When when) {
    int times = 1 + scene.random().nextInt(4);
    scene.tell("the next " + times + " COMMITs are cut: " + when);
    TcpProxy network = scene.lab().mysqlNetwork();
    network.cutOn("commit", when, times);
    scene.await(PATIENCE, () -> network.cutsLeft() == 0);
    scene.tell(times - network.cutsLeft() + " COMMITs were cut");
    network.heal();
  }

  private static void noConnections(Scene scene) throws SQLException {
    List<Connection> taken = new ArrayList<>();
    try {
      scene.lab().mysqlNetwork().reset();
      for (int i = 0; i < MANY_CONNECTIONS; i++) {
        taken.add(scene.lab().stores().mysql());
      }
    } catch (SQLException full) {
      scene.tell(taken.size() + " connections taken: " + full.getMessage());
    }
    scene.pause(SHORT * 2);
    for (Connection connection : taken) {
      connection.close();
    }
    scene.tell("connections given back");
  }

  private static void lockWait(Scene scene) throws SQLException {
    long before = told(scene, LOCK_WAIT);
    try (Connection connection = scene.lab().stores().mysql()) {
      connection.setAutoCommit(false);
      run(connection, "SELECT id FROM products WHERE id = ? FOR UPDATE", scene.productId());
      scene.tell("the sale's row is locked");
      boolean timedOut = scene.await(PATIENCE, () -> told(scene, LOCK_WAIT) > before);
      if (!timedOut) {
        scene.missed("no lock wait timed out");
      }
      connection.rollback();
      scene.tell("the lock is gone");
    }
  }

  /** The number of lines with a text in the first node's log. */
  private static long told(Scene scene, String text) {
    return scene.nodes().get(0).machine().output().lines().filter(it -> it.contains(text)).count();
  }

  /**
   * Locks a row that a writer is about to insert, then the sale's row that the writer holds: a
   * deadlock.
   */
  private static void deadlock(Scene scene) throws SQLException {
    long before = told(scene, DEADLOCK);
    int deadlocks = 0;
    int rounds = 0;
    long end = System.nanoTime() + 3 * SHORT * 1_000_000;
    try (Connection connection = scene.lab().stores().mysql()) {
      connection.setAutoCommit(false);
      run(connection, "SET SESSION innodb_lock_wait_timeout = 1");
      while (System.nanoTime() < end) {
        rounds++;
        try {
          // strategy A locks the sale's row before it inserts, strategy B after that
          if (rounds % 2 == 0) {
            insertPending(scene, connection);
            scene.pause(30);
            updateSale(scene, connection);
          } else {
            updateSale(scene, connection);
            scene.pause(60);
            insertPending(scene, connection);
          }
        } catch (SQLException e) {
          deadlocks += e.getErrorCode() == 1213 ? 1 : 0;
        }
        connection.rollback();
        scene.pause(20);
      }
    }
    long writers = told(scene, DEADLOCK) - before;
    scene.tell(
        rounds
            + " rounds against the writers; deadlocks lost: "
            + deadlocks
            + ", by writers: "
            + writers);
    if (deadlocks + writers == 0) {
      scene.missed("no deadlock came about");
    }
  }

  private static void updateSale(Scene scene, Connection connection) throws SQLException {
    run(
        connection,
        "UPDATE products SET updated_at = updated_at + 1 WHERE id = ?",
        scene.productId());
  }

  private static void insertPending(Scene scene, Connection connection) throws SQLException {
    for (String entry : pending(scene)) {
      String[] parts = entry.split("\\|", -1);
      String user = parts[0].split("-", 3)[1];
      run(
          connection,
          "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key,"
              + " status, attempt, epoch, created_at) VALUES (?, ?, ?, 1, ?, 'SUCCESS', '-', 1, 0)",
          parts[0],
          scene.productId(),
          Long.parseLong(user),
          scene.productId() + ":" + user + ":" + parts[1]);
    }
  }

  private static List<String> pending(Scene scene) {
    Stores stores = scene.lab().stores();
    List<String> users = stores.redis().zrevrange(Stores.key(scene.productId(), "pending"), 0, 3);
    List<String> entries = new ArrayList<>();
    for (String user : users) {
      String entry = stores.redis().hget(Stores.key(scene.productId(), "users"), user);
      if (entry != null) {
        entries.add(entry);
      }
    }
    return entries;
  }

  private static void run(Connection connection, String sql, Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      statement.execute();
    }
  }

  /** Makes MySQL refuse the orders of every fifth buyer of the sale; tombstones pass. */
  static void refuseSome(Scene scene) throws SQLException {
    refuseNoMore(scene);
    scene
        .lab()
        .stores()
        .execute(
            "CREATE TRIGGER drill_refuses BEFORE INSERT ON seckill_orders FOR EACH ROW IF"
                + " NEW.status = 'SUCCESS' AND NEW.user_id % 5 = 0 AND NEW.product_id = "
                + scene.productId()
                + " THEN SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 4025, MESSAGE_TEXT = 'refused"
                + " by the drill'; END IF");
    scene.tell("MySQL refuses the orders of every fifth buyer");
  }

  static void refuseNoMore(Scene scene) throws SQLException {
    scene.lab().stores().execute("DROP TRIGGER IF EXISTS drill_refuses");
    scene.tell("MySQL refuses no order");
  }
}
