package io.seckill.drill.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.drill.model.OrderFlow.Config;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** I1 to I4, I7, and that everything can still end, in every state the order flow can reach. */
class OrderFlowModelTest {
  private static final boolean A = false;
  private static final boolean B = true;
  private static final Set<String> ALL = Set.of("I1", "I2", "I3", "I4", "I5", "I7");

  static Stream<Arguments> flows() {
    return Stream.of(
        Arguments.of("A, three reservations of two buyers, two units", Config.of(A, 2, 1, 1, 2)),
        Arguments.of("A, the last unit", Config.of(A, 1, 1, 1, 2)),
        Arguments.of("A, three workers", Config.of(A, 2, 1, 1, 2).workers(3)),
        Arguments.of("A, no sweeper", Config.of(A, 2, 1, 1, 2).withoutSweeper()),
        Arguments.of("A, Redis loses data", Config.of(A, 1, 1, 2).losses(1)),
        Arguments.of("A, one buyer, Redis loses data", Config.of(A, 2, 1, 1).losses(1)),
        Arguments.of("B, three reservations of two buyers", Config.of(B, 2, 1, 1, 2)),
        Arguments.of("B, Redis has a unit MySQL has not", Config.of(B, 2, 1, 2, 3).sqlStock(1)),
        Arguments.of("B, Redis loses data", Config.of(B, 1, 1, 2).losses(1)),
        Arguments.of(
            "A, Redis loses data twice",
            Config.of(A, 1, 1, 2).workers(1).losses(2).withoutSweeper()),
        Arguments.of(
            "A, the script lets a buyer in twice: uk_pu decides",
            Config.of(A, 2, 1, 1).without(Guard.LIVE_PURCHASE)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("flows")
  void shouldHoldInEveryReachableState(String name, Config config, TestReporter reporter) {
    Explorer.Result result = Explorer.explore(new OrderFlow(config), ALL);
    reporter.publishEntry(name, result.states() + " states, " + result.steps() + " steps");

    assertThat(result.breach()).as("after %d states", result.states()).isNull();
    assertThat(result.states()).isGreaterThan(500);
  }

  @Test
  void shouldNotOversellInStrategyBEvenIfNobodyNoticesThatRedisLostData() {
    Config config = Config.of(B, 1, 1, 2).losses(1).without(Guard.ADMISSION);

    Explorer.Result result =
        Explorer.explore(new OrderFlow(config), Set.of("I1", "I3", "I4", "I7"));

    assertThat(result.breach()).isNull();
  }

  static Stream<Arguments> withoutAGuard() {
    return Stream.of(
        Arguments.of("I1", Config.of(A, 2, 1, 2).without(Guard.GUARDED_SCRIPTS)),
        Arguments.of("I2", Config.of(A, 2, 1, 2).without(Guard.UNIQUE_REQUEST)),
        Arguments.of("I7", Config.of(A, 2, 1, 2).without(Guard.TOMBSTONE)),
        Arguments.of("I7", Config.of(A, 2, 1, 2).without(Guard.READ_BACK)),
        Arguments.of("I7", Config.of(A, 2, 1, 2).without(Guard.READ_COMMITTED)),
        Arguments.of("I3", Config.of(B, 2, 1, 2).without(Guard.ATTEMPT)),
        Arguments.of("I3", Config.of(B, 2, 1, 2).sqlStock(1).without(Guard.CONDITIONAL_DECREMENT)),
        Arguments.of("I3", Config.of(A, 1, 1, 2).losses(1).without(Guard.EPOCH)),
        Arguments.of("I3", Config.of(A, 1, 1, 2).losses(1).without(Guard.ADMISSION)),
        Arguments.of("I3", Config.of(A, 1, 1, 2).losses(1).without(Guard.ADOPTION)),
        Arguments.of("I3", Config.of(A, 1, 1, 2).losses(1).without(Guard.JUDGED_UNDER_LOCK)),
        Arguments.of("I4", Config.of(A, 2, 1, 1).without(Guard.LIVE_PURCHASE, Guard.UNIQUE_BUYER)),
        Arguments.of(
            "I5", Config.of(A, 1, 1).withoutSweeper().without(Guard.SEND_BEFORE_ACKNOWLEDGE)),
        Arguments.of("I5", Config.of(A, 1, 1).withoutSweeper().without(Guard.OFFSET_LAST)),
        Arguments.of("I5", Config.of(A, 1, 1).withoutSweeper().without(Guard.CONFIRM)));
  }

  @ParameterizedTest(name = "{1} breaks {0}")
  @MethodSource("withoutAGuard")
  void shouldFindTheBreachOnceAGuardIsGone(String invariant, Config config) {
    Explorer.Result result = Explorer.explore(new OrderFlow(config), Set.of(invariant));

    assertThat(result.breach()).isNotNull();
    assertThat(result.breach().way()).hasSizeGreaterThan(3);
  }
}
