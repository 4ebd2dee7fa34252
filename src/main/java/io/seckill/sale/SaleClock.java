package io.seckill.sale;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one clock by which every node judges and tells the windows of sales: that of the server that
 * decides, Redis, or MySQL in minimal mode. Between two readings it goes on with the machine's
 * steady time, so a node's clock that jumps does not touch it. Before the first reading it is the
 * node's clock. Thread-safe.
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
   * A clock without a reading.
   *
   * @param node the clock of this machine
   * @param tolerance by how much the two may differ before the log tells
   * @param nanoTime as {@link System#nanoTime()}
   */
  public SaleClock(Clock node, Duration tolerance, LongSupplier nanoTime) {
    this.node = node;
    this.tolerance = tolerance;
    this.nanoTime = nanoTime;
  }

  /** When a question begins, for {@link #heard}. */
  public long ask() {
    return nanoTime.getAsLong();
  }

  /**
   * Takes the server's time, which it told at some moment between question and answer. An answer
   * that took longer than the clocks may differ says too little.
   *
   * @param asked what {@link #ask} gave
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
          "The clock of this node differs by {} s from that of {}: windows of sales go by the latter",
          offsetSeconds(),
          "the server that decides (Redis, or MySQL in minimal mode)");
    } else if (!off && told) {
      LOG.info("The clock of this node is right again");
    }
    told = off;
  }

  /** By how much the node's clock is ahead; 0 before the first reading. */
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
