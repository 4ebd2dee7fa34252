package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.kafka.Consumed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PendingTimeTest {
  private final AtomicLong nanos = new AtomicLong();
  private final PendingTime time = new PendingTime(nanos::get);

  @Test
  void shouldFollowFromWhatWaitsAndHowFastItIsTaken() {
    assertThat(time.seconds()).isEqualTo("1");
    note(0, 0, 0);
    assertThat(time.seconds()).isEqualTo("1");

    // 1,000 a second, and 9,500 wait
    note(5_000, 5_000, 4_500);
    assertThat(time.seconds()).isEqualTo("10");

    note(9_500, 500, 0);
    assertThat(time.seconds()).isEqualTo("1");
  }

  @Test
  void shouldBeLongWhileNothingMoves() {
    note(100, 0, 0);
    note(100, 1, 0);
    assertThat(time.seconds()).isEqualTo("30");
    note(100, 0, 1);
    assertThat(time.seconds()).isEqualTo("30");
    note(101, 0, 0);
    assertThat(time.seconds()).isEqualTo("1");
  }

  @Test
  void shouldBeShortWhileNothingWaits() {
    note(100, 0, 0);
    note(100, 0, 0);
    assertThat(time.seconds()).isEqualTo("1");
  }

  private void note(long committed, long lag, long outboxLength) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
    time.note(new Consumed(lag, committed), outboxLength);
  }
}
