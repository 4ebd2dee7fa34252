package io.seckill.api;

import io.seckill.answer.Refusals;
import io.seckill.kafka.Consumed;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When to ask again for a purchase that is pending: it follows from the orders that wait before it,
 * in the outboxes and in Kafka, and from how fast the writers of all nodes take them. Thread-safe.
 */
public final class PendingTime {
  static final int MAX_SECONDS = 30;

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoTime;
  private volatile String seconds = Integer.toString(Refusals.RETRY_SECONDS);
  private Consumed last;
  private long lastAt;

  PendingTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The value of Retry-After: whole seconds, 1 to {@link #MAX_SECONDS}. */
  String seconds() {
    return seconds;
  }

  /**
   * Takes what the watches saw.
   *
   * @param consumed of the topic of orders
   * @param outboxLength orders that Kafka does not have yet
   */
  public synchronized void note(Consumed consumed, long outboxLength) {
    long now = nanoTime.getAsLong();
    if (last != null) {
      double perSecond = (consumed.committed() - last.committed()) * NANOS / (now - lastAt);
      double left = Math.ceil((consumed.lag() + outboxLength) / perSecond);
      // nothing waits: 0 / 0; nothing moves: n / 0
      int whole = Double.isNaN(left) ? 0 : (int) Math.min(left, MAX_SECONDS);
      seconds = Integer.toString(Math.max(Refusals.RETRY_SECONDS, whole));
    }
    last = consumed;
    lastAt = now;
  }
}
