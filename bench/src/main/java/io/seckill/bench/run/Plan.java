package io.seckill.bench.run;

import java.time.Duration;
import java.util.List;

/**
 * Durations and numbers of rounds.
 *
 * @param warmUp least CPU time for the warm-up of each contender
 * @param rounds of the accepted and sold-out paths
 * @param sideRounds of duplicates, results and everything with more than one product
 * @param run one measured run of the request path
 * @param orders one run end to end, without the time for the backlog
 * @param open one run of the open loop
 * @param productCounts numbers of products over which the buyers spread, besides 1
 * @param rate purchases a second of the path at a given rate; 0: the path is left out
 */
public record Plan(
    Duration warmUp,
    int rounds,
    int sideRounds,
    int orderRounds,
    Duration run,
    Duration orders,
    Duration open,
    List<Integer> productCounts,
    int rate) {

  public static Plan quick() {
    return new Plan(
        Duration.ofSeconds(10),
        5,
        1,
        3,
        Duration.ofMillis(2_500),
        Duration.ofSeconds(6),
        Duration.ofSeconds(6),
        List.of(10, 100),
        0);
  }

  public static Plan thorough() {
    return new Plan(
        Duration.ofSeconds(30),
        9,
        5,
        7,
        Duration.ofSeconds(10),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30),
        List.of(10, 100),
        0);
  }

  public Plan warmedUpFor(Duration longer) {
    return new Plan(
        longer, rounds, sideRounds, orderRounds, run, orders, open, productCounts, rate);
  }

  /** The same with another number of rounds, on every path that has rounds. */
  public Plan repeated(int times) {
    return new Plan(warmUp, times, times, times, run, orders, open, productCounts, rate);
  }

  /** The same over other numbers of products. */
  public Plan over(List<Integer> products) {
    return new Plan(warmUp, rounds, sideRounds, orderRounds, run, orders, open, products, rate);
  }

  /** The same with a run at this rate. */
  public Plan at(int perSecond) {
    return new Plan(
        warmUp, rounds, sideRounds, orderRounds, run, orders, open, productCounts, perSecond);
  }

  /** Just long enough to see that everything works; the figures mean nothing. */
  public static Plan smoke() {
    return new Plan(
        Duration.ofSeconds(1),
        1,
        1,
        1,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        List.of(),
        0);
  }
}
