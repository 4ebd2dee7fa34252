package io.seckill.health;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The latest reading of each server. Routes probe the servers in the background and report here, so
 * that a health check answers at once even when a server is slow. Thread-safe.
 */
public final class Probes {
  /**
   * The result of a probe.
   *
   * @param message one sentence for an operator
   */
  public record Reading(boolean up, String message) {}

  private record Dated(Reading reading, long atNanos) {}

  private final Map<String, Dated> readings = new ConcurrentHashMap<>();
  private final Duration staleAfter;
  private final LongSupplier nanoTime;

  /**
   * Begins without readings.
   *
   * @param staleAfter a reading older than this counts as down, because the probe hangs
   * @param nanoTime as {@link System#nanoTime()}
   */
  public Probes(Duration staleAfter, LongSupplier nanoTime) {
    this.staleAfter = staleAfter;
    this.nanoTime = nanoTime;
  }

  /** The server answered. */
  public void up(String name, String message) {
    readings.put(name, new Dated(new Reading(true, message), nanoTime.getAsLong()));
  }

  /** The server did not answer, or answered wrongly. */
  public void down(String name, String message) {
    readings.put(name, new Dated(new Reading(false, message), nanoTime.getAsLong()));
  }

  /**
   * The probe failed. For a database, takes the message of the server or driver, because the
   * exceptions around it name only the statement or a missing connection.
   */
  public void failed(String name, Throwable failure) {
    String message = failure.getMessage();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException) {
        message = cause.getMessage();
      }
    }
    down(name, String.valueOf(message).strip().replaceAll("\\s+", " "));
  }

  /** The latest reading of a server; down when there is none or it is stale. */
  public Reading of(String name) {
    return Optional.ofNullable(readings.get(name))
        .map(this::orStale)
        .orElseGet(() -> new Reading(false, "not checked yet"));
  }

  /**
   * The latest reading, if it is down and recent.
   *
   * @param within the time within which a lasting fault is reported again
   */
  public Optional<Reading> down(String name, Duration within) {
    return Optional.ofNullable(readings.get(name))
        .filter(dated -> !dated.reading().up())
        .filter(dated -> nanoTime.getAsLong() - dated.atNanos() <= within.toNanos())
        .map(Dated::reading);
  }

  private Reading orStale(Dated dated) {
    long age = nanoTime.getAsLong() - dated.atNanos();
    return age <= staleAfter.toNanos()
        ? dated.reading()
        : new Reading(
            false,
            "no answer for "
                + Duration.ofNanos(age).toSeconds()
                + " s; last: "
                + dated.reading().message());
  }
}
