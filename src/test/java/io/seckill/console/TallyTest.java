package io.seckill.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.console.Overview.Latency;
import io.seckill.console.Overview.PerSecond;
import io.seckill.metrics.SaleCounts.Counted;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final long PHONE = 1001;

  private final Tally tally = new Tally();

  private static NodeReport report(long ended, Map<Double, Long> latencies, Counted phone) {
    return new NodeReport(true, List.of(), 2 * ended, ended, latencies, Map.of(PHONE, phone));
  }

  private static NodeReport report(long ended, Counted phone) {
    return report(ended, Map.of(), phone);
  }

  @Test
  void shouldTellWhatHappenedASecondOverAllNodes() {
    tally.take("one", 1_000, report(10, new Counted(100, 0, Map.of("FAIL_SOLD_OUT", 5L))));
    tally.take("two", 1_500, report(0, new Counted(0, 0, Map.of())));
    assertThat(tally.sales()).isEmpty();

    tally.take("one", 3_000, report(14, new Counted(120, 4, Map.of("FAIL_SOLD_OUT", 5L))));
    tally.take("two", 2_500, report(7, new Counted(3, 0, Map.of("THROTTLED", 2L))));
    assertThat(tally.sales())
        .isEqualTo(Map.of(PHONE, new PerSecond(13, 2, Map.of("THROTTLED", 2.0))));
    assertThat(tally.endedPerSecond()).isEqualTo(9);
    assertThat(tally.relayedPerSecond()).isEqualTo(18);
  }

  @Test
  void shouldCountAReportOnce() {
    tally.take("one", 1_000, report(0, new Counted(1, 0, Map.of())));
    tally.take("one", 2_000, report(0, new Counted(6, 0, Map.of())));
    tally.take("one", 2_000, report(0, new Counted(6, 0, Map.of())));
    assertThat(tally.sales().get(PHONE).admitted()).isEqualTo(5);
  }

  @Test
  void shouldTakeACountThatFellForOneThatBeganAnew() {
    tally.take("one", 1_000, report(50, new Counted(100, 0, Map.of())));
    tally.take("one", 2_000, report(3, new Counted(2, 0, Map.of())));
    assertThat(tally.sales().get(PHONE).admitted()).isEqualTo(2);
    assertThat(tally.endedPerSecond()).isEqualTo(3);
  }

  @Test
  void shouldForgetANodeThatIsSilentOrGone() {
    tally.take("one", 1_000, report(0, new Counted(0, 0, Map.of())));
    tally.take("one", 2_000, report(0, new Counted(9, 0, Map.of())));
    tally.silent("one");
    assertThat(tally.sales()).isEmpty();
    tally.take("two", 1_000, report(0, new Counted(0, 0, Map.of())));
    tally.take("two", 2_000, report(0, new Counted(9, 0, Map.of())));
    tally.retain(Set.of("one"));
    assertThat(tally.sales()).isEmpty();
  }

  @Test
  void shouldTellTheLatencyOfTheLastTenSeconds() {
    Counted none = new Counted(0, 0, Map.of());
    assertThat(tally.latency()).isNull();
    tally.take("one", 1_000, report(0, Map.of(10.0, 1_000L, 20.0, 1_000L, 50.0, 1_000L), none));
    assertThat(tally.latency()).isNull();
    tally.take("one", 2_000, report(0, Map.of(10.0, 1_060L, 20.0, 1_098L, 50.0, 1_100L), none));
    assertThat(tally.latency()).isEqualTo(new Latency(10, 50));
    tally.take("two", 2_000, report(0, Map.of(), none));
    tally.take("two", 3_000, report(0, Map.of(20.0, 900L, 50.0, 900L), none));
    assertThat(tally.latency()).isEqualTo(new Latency(20, 20));
    tally.take("one", 13_000, report(0, Map.of(10.0, 1_060L, 20.0, 1_098L, 50.0, 1_100L), none));
    tally.take("one", 14_000, report(0, Map.of(10.0, 1_060L, 20.0, 1_098L, 50.0, 1_100L), none));
    tally.silent("two");
    assertThat(tally.latency()).isNull();
  }
}
