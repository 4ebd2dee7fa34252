package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WrongTokensTest {
  private final AtomicLong now = new AtomicLong(-5);
  private final WrongTokens wrong = new WrongTokens(now::get);

  @Test
  void shouldAnswerThoseOfAnAddressOneASecondAndNoneLaterThanTheLongestWait() {
    assertThat(LongStream.range(0, 100).map(i -> wrong.delay(1)))
        .startsWith(0L, 1000L, 2000L, 3000L)
        .endsWith(9000L, 9000L);
    assertThat(wrong.delay(2)).as("another address").isZero();

    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2_500));
    assertThat(wrong.delay(1)).isEqualTo(7_500);

    now.addAndGet(TimeUnit.SECONDS.toNanos(3_600));
    assertThat(wrong.delay(1)).isZero();
    assertThat(wrong.delay(1)).isEqualTo(1_000);
  }
}
