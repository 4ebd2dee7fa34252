package io.seckill.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentAdmissionsTest {
  @Test
  void shouldHoldTheLatestOfAProduct() {
    RecentAdmissions admissions = new RecentAdmissions(3);
    assertThat(admissions.of(1)).isEmpty();
    List.of("1-1-a", "11-1-b", "1-2-c", "1-3-d", "1-2-c").forEach(admissions::note);

    assertThat(admissions.of(1)).containsExactly("1-2-c", "1-3-d");
    assertThat(admissions.of(11)).containsExactly("11-1-b");
  }

  @Test
  void shouldGoOnWhenItsCountOverflows() throws ReflectiveOperationException {
    RecentAdmissions admissions = new RecentAdmissions(4);
    var next = RecentAdmissions.class.getDeclaredField("next");
    next.setAccessible(true);
    ((java.util.concurrent.atomic.AtomicInteger) next.get(admissions)).set(Integer.MAX_VALUE - 1);
    IntStream.range(0, 4).forEach(i -> admissions.note("1-" + i + "-x"));

    assertThat(admissions.of(1)).containsExactly("1-0-x", "1-1-x", "1-2-x", "1-3-x");
  }
}
