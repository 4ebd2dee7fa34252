package io.seckill.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Delays the answers to wrong tokens: one a second for each address, in turn, and each within ten
 * seconds. So guessing is slow, while callers with the right token never wait.
 *
 * <p>Memory is fixed. Two addresses may share a place; then their wrong tokens wait for each other.
 * Thread-safe.
 */
final class WrongTokens {
  private static final int PLACES = 4096;
  private static final long EACH = TimeUnit.SECONDS.toNanos(1);
  private static final long LATEST = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanoTime;
  private final long start;

  /** When the next wrong token of a place may be answered, in nanoseconds since the start. */
  private final AtomicLongArray next = new AtomicLongArray(PLACES);

  /**
   * @param nanoTime a monotonic clock
   */
  WrongTokens(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** How long to delay the answer to a wrong token of this address, in ms. */
  long delay(long address) {
    long now = nanoTime.getAsLong() - start;
    long after =
        next.updateAndGet(
            Math.floorMod(Long.hashCode(address), PLACES),
            due -> Math.min(Math.max(due, now) + EACH, now + LATEST));
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, after - EACH - now));
  }
}
