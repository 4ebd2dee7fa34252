package io.seckill.drill.run;

import io.lettuce.core.RedisException;
import io.seckill.drill.history.Book;
import io.seckill.drill.lab.Stores;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;

/** Waits until a sale is at rest. */
final class Rest {
  private static final long PERIOD_NANOS = 100_000_000;
  private static final int TIMES = 2;

  private final Stores stores;
  private final long productId;
  private String last = "not looked at";

  Rest(Stores stores, long productId) {
    this.stores = stores;
    this.productId = productId;
  }

  /** Waits; true when the sale came to rest in time. */
  boolean await(long millis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    int quiet = 0;
    while (quiet < TIMES) {
      quiet = isQuiet() ? quiet + 1 : 0;
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(PERIOD_NANOS);
    }
    return true;
  }

  /** What still changed at the last check. */
  String last() {
    return last;
  }

  private boolean isQuiet() {
    try {
      Book book = stores.book(productId);
      if (book == null && stores.isSettled(productId)) {
        long lag = stores.lag();
        last = "settled, lag " + lag;
        return lag == 0;
      }
      if (book == null) {
        last = "no book";
        return false;
      }
      long outbox = stores.redis().xlen(Stores.key(productId, "outbox"));
      long lag = stores.lag();
      long parked =
          stores.number(
              "SELECT COUNT(*) FROM dead_letters WHERE product_id = ? AND state = 'PARKED'",
              productId);
      last =
          "pending "
              + book.pending()
              + ", outbox "
              + outbox
              + ", lag "
              + lag
              + ", parked "
              + parked;
      return book.pending() == 0 && outbox == 0 && lag == 0 && parked == 0;
    } catch (RedisException | SQLException | KafkaException away) {
      last = away.toString();
      return false;
    }
  }
}
