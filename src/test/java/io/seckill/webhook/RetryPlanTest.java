package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryPlanTest {
  private static final Instant NOW = Instant.parse("2030-01-31T10:00:00Z");

  private final RetryPlan plan = new RetryPlan("1000, 60000");

  private long pause(int tries, String retryAfter) {
    return plan.pauseAfter(tries, retryAfter, NOW).orElseThrow();
  }

  @Test
  void shouldPauseLongerEachTimeAndThenGiveUp() {
    assertThat(pause(1, null)).isBetween(1_000L, 1_200L);
    assertThat(pause(2, null)).isBetween(60_000L, 72_000L);
    assertThat(plan.pauseAfter(3, null, NOW)).isEmpty();
    assertThat(plan.pauseAfter(3, "5", NOW)).isEmpty();
  }

  @Test
  void shouldPauseAsLongAsItIsAskedTo() {
    assertThat(pause(1, "120")).isEqualTo(120_000);
    assertThat(pause(1, "Thu, 31 Jan 2030 10:05:00 GMT")).isEqualTo(300_000);
  }

  @Test
  void shouldNotBeHurriedNorHeldForMoreThanADay() {
    assertThat(pause(2, "1")).isGreaterThanOrEqualTo(60_000);
    assertThat(pause(1, "Thu, 31 Jan 2030 09:00:00 GMT")).isBetween(1_000L, 1_200L);
    assertThat(pause(1, "999999999")).isEqualTo(86_400_000);
  }

  @Test
  void shouldLeaveAsideWhatItDoesNotUnderstand() {
    for (String text : new String[] {"", "soon", "-5", "1e9", "99999999999"}) {
      assertThat(pause(1, text)).as(text).isBetween(1_000L, 1_200L);
    }
  }
}
