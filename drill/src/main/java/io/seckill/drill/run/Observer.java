package io.seckill.drill.run;

import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.lab.Stores;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reads the book, the committed units and the book again, repeatedly, during the sale. */
final class Observer {
  private static final String COMMITTED =
      "SELECT COALESCE(SUM(quantity), 0) FROM seckill_orders WHERE product_id = ? AND status ="
          + " 'SUCCESS'";
  private static final long PERIOD_NANOS = 60_000_000;
  private static final int QUERY_SECONDS = 2;

  private final Recorder recorder;
  private final Stores stores;
  private final long productId;
  private final Thread thread = new Thread(this::run, "observer");
  private volatile boolean over;

  Observer(Recorder recorder, Stores stores, long productId) {
    this.recorder = recorder;
    this.stores = stores;
    this.productId = productId;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void stop() {
    over = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(60));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!over) {
      try (Connection connection = stores.mysql();
          PreparedStatement committed = connection.prepareStatement(COMMITTED)) {
        committed.setQueryTimeout(QUERY_SECONDS);
        committed.setLong(1, productId);
        while (!over) {
          observe(committed);
          LockSupport.parkNanos(PERIOD_NANOS);
        }
      } catch (SQLException away) {
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    }
  }

  private void observe(PreparedStatement committed) throws SQLException {
    Book before = stores.book(productId);
    long units;
    try (ResultSet result = committed.executeQuery()) {
      result.next();
      units = result.getLong(1);
    }
    Book after = stores.book(productId);
    recorder.add(new Event.Observation(recorder.now(), productId, before, units, after));
  }
}
