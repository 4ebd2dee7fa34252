package io.seckill.sale;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock by which all nodes judge and tell the windows of sales. It follows the server that
 * decides: Redis, or MySQL in minimal mode. Between two readings it advances with the machine's
 * monotonic time, so jumps of the node's clock do not affect it. Before the first reading it shows
 * the node's clock. Thread-safe.
 */
public final class SaleClock extends Clock {
  private static final Logger LOG = LoggerFactory.getLogger(SaleClock.class);
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Reading(long millis, long atNanos) {}

  private final Clock node;
  private final Duration tolerance;
  private final LongSupplier nanoTime;
  private volatile Reading reading;
  private boolean told;

  /**
   * Makes a clock that has no reading yet.
   *
   * @param node the clock of this machine
   * @param tolerance difference of the two clocks from which on the log warns
   * @param nanoTime as {@link System#nanoTime()}
   */
  public SaleClock(Clock node, Duration tolerance, LongSupplier nanoTime) {
    this.node = node;
    this.tolerance = tolerance;
    this.nanoTime = nanoTime;
  }

  /** The start time of a question, for {@link #heard}. */
  public long ask() {
    return nanoTime.getAsLong();
  }

  /**
   * Takes the server's time, which was right at some moment between question and answer. An answer
   * that took longer than the tolerance is too inexact, and ignored.
   *
   * @param asked the result of {@link #ask}
   * @param millis epoch milliseconds
   */
  public synchronized void heard(long asked, long millis) {
    long took = nanoTime.getAsLong() - asked;
    if (reading != null && took > tolerance.toNanos()) {
      return;
    }
    reading = new Reading(millis, asked + took / 2);
    tell(Math.abs(offsetMillis()) > tolerance.toMillis());
  }

  private void tell(boolean off) {
    if (off && !told) {
      LOG.warn(
          "The clock of this node differs by {} s from that of {}, which decides the windows of sales",
          offsetSeconds(),
          "the server that decides (Redis, or MySQL in minimal mode)");
    } else if (!off && told) {
      LOG.info("The clock of this node is right again");
    }
    told = off;
  }

  /** Seconds that the node's clock is ahead; 0 before the first reading. */
  public double offsetSeconds() {
    return offsetMillis() / 1000.0;
  }

  private long offsetMillis() {
    return node.millis() - millis();
  }

  @Override
  public long millis() {
    Reading last = reading;
    return last == null
        ? node.millis()
        : last.millis() + (nanoTime.getAsLong() - last.atNanos()) / NANOS_PER_MILLI;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return node.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("Windows of sales are instants");
  }
}
