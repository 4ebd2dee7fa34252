package io.seckill.health;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What the last look at each server showed. Routes look in the background and report here, so that
 * a health check answers at once however long a server takes. Thread-safe.
 */
public final class Probes {
  /**
   * What a look showed.
   *
   * @param message one sentence for an operator
   */
  public record Reading(boolean up, String message) {}

  private record Dated(Reading reading, long atNanos) {}

  private final Map<String, Dated> readings = new ConcurrentHashMap<>();
  private final Duration staleAfter;
  private final LongSupplier nanoTime;

  /**
   * No readings yet.
   *
   * @param staleAfter a reading older than this counts as down: whoever looks hangs
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

  /** The server did not answer, or not as it should. */
  public void down(String name, String message) {
    readings.put(name, new Dated(new Reading(false, message), nanoTime.getAsLong()));
  }

  /**
   * The look at the server failed. Of a database the server's or the driver's own words are told:
   * what is around them names the statement, or no more than that there was no connection.
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

  /** The last look at a server; down where there was none, or none of late. */
  public Reading of(String name) {
    return Optional.ofNullable(readings.get(name))
        .map(this::orStale)
        .orElseGet(() -> new Reading(false, "not looked at yet"));
  }

  /**
   * The last reading where it is down and of late.
   *
   * @param within how soon whoever reported it reports again as long as it lasts
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
                + " s; before that: "
                + dated.reading().message());
  }
}
