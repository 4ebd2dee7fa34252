package io.seckill.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * How late wrong tokens are answered: of one address one a second, in turn, and none later than ten
 * seconds. So guesses are slow, and whoever shows the right token never waits for those of others.
 *
 * <p>Memory is fixed. Two addresses may share a place in it: then their wrong tokens wait for each
 * other. Thread-safe.
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
   * @param nanoTime a clock that only goes forward
   */
  WrongTokens(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Milliseconds from now at which a wrong token of this address is to be answered. */
  long delay(long address) {
    long now = nanoTime.getAsLong() - start;
    long after =
        next.updateAndGet(
            Math.floorMod(Long.hashCode(address), PLACES),
            due -> Math.min(Math.max(due, now) + EACH, now + LATEST));
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, after - EACH - now));
  }
}
