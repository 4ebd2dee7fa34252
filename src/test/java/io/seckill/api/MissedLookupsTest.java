package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MissedLookupsTest {
  private static final Lookup LOOKUP = new Lookup(7, null, "k", 1001L);
  private final MissedLookups misses = new MissedLookups(Duration.ofHours(1), 10);

  @Test
  void shouldCountAMissOfUncertainTimesOnlyWhileTheyLast() {
    misses.add(LOOKUP, true, 1);
    assertThat(misses.contains(LOOKUP, true, 1)).isTrue();
    assertThat(misses.contains(LOOKUP, false, 1)).isFalse();
    misses.add(LOOKUP, false, 1);
    assertThat(misses.contains(LOOKUP, true, 1)).isTrue();
    assertThat(misses.contains(LOOKUP, false, 1)).isTrue();
  }

  @Test
  void shouldForgetAMissWhenTheBooksAreOthers() {
    misses.add(LOOKUP, false, 1);
    assertThat(misses.contains(LOOKUP, false, 2)).isFalse();
    assertThat(misses.contains(LOOKUP, true, 2)).isFalse();
  }
}
