package io.seckill.drill.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The system's clock, shifted by the drill. */
public final class ShiftedClock extends Clock {
  private volatile long offMillis;

  /** Shifts the clock; 0 is the system's time. */
  public void shift(long millis) {
    offMillis = millis;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC)
        ? this
        : Clock.offset(Clock.system(zone), Duration.ofMillis(offMillis));
  }

  @Override
  public Instant instant() {
    return Instant.now().plusMillis(offMillis);
  }
}
