package io.seckill.drill.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.drill.fault.Fault;
import io.seckill.drill.fault.Faults;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  private static final List<Fault> ALL = List.copyOf(Faults.all().values());

  @Test
  void shouldGiveTheSameScheduleForTheSameSeed() {
    assertThat(Schedule.inTurn(ALL, 100, 7)).isEqualTo(Schedule.inTurn(ALL, 100, 7));
    assertThat(Schedule.shuffled(ALL, 100, 7)).isEqualTo(Schedule.shuffled(ALL, 100, 7));
    assertThat(Schedule.shuffled(ALL, 100, 7)).isNotEqualTo(Schedule.shuffled(ALL, 100, 8));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 6})
  void shouldStrikeWithEachFaultInBothStrategiesAndWithBothEnds(int count) {
    List<Fault> faults = ALL.subList(0, count);
    Set<String> met = new HashSet<>();
    Set<Long> seeds = new HashSet<>();
    for (Schedule.Entry entry : Schedule.inTurn(faults, 4 * count, 3)) {
      met.add(
          entry.fault().name()
              + Run.strategyOf(entry.fault(), entry.seed())
              + Run.endsMidway(entry.seed()));
      seeds.add(entry.seed());
    }
    assertThat(met).hasSize(4 * count);
    assertThat(seeds).hasSize(4 * count);
  }

  @Test
  void shouldFindFaultsByNameOrBeginning() {
    assertThat(Schedule.named(Faults.all(), "redis-kill", true)).hasSize(1);
    assertThat(Schedule.named(Faults.all(), "redis-*", true)).hasSizeGreaterThan(5);
    assertThat(Schedule.named(Faults.all(), "app-kill,mysql-kill", true)).hasSize(2);
    assertThat(Schedule.named(Faults.all(), null, false)).noneMatch(Fault::ownServers);
    assertThatThrownBy(() -> Schedule.named(Faults.all(), "no-such", true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldReadItsOptions() {
    Options options =
        Options.parse("--fault", "redis-kill", "--runs", "3", "--seed", "9", "--json", "x.json");

    assertThat(options.fault()).isEqualTo("redis-kill");
    assertThat(options.runs()).isEqualTo(3);
    assertThat(options.seed()).isEqualTo(9);
    assertThat(options.json()).hasToString("x.json");
    assertThatThrownBy(() -> Options.parse("--what")).hasMessageContaining("--what");
    assertThatThrownBy(() -> Options.parse("--runs")).hasMessageContaining("--runs");
    assertThatThrownBy(() -> Options.parse("--runs", "many")).hasMessageContaining("many");
  }
}
