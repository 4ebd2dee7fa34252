package io.seckill.bench.report;

import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Measurement.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One contender compared with another, round by round. Only runs of the same round are compared,
 * because the machine may be busier later.
 *
 * @param name as in the JSON
 * @param products number of products over which the buyers spread
 * @param goal the least ratio wanted; NaN without a goal
 * @param byRound in the order of the rounds
 * @param cpuByRound the same for the CPU time that the contender's own process spends on a request
 * @param reason why there is no ratio; null when there is one
 */
public record Ratio(
    String name,
    Path path,
    int products,
    String numerator,
    String denominator,
    double goal,
    List<Double> byRound,
    List<Double> cpuByRound,
    String reason) {

  /** CPU time of the contender's own process for a request; end to end, for an order. */
  static final String CPU = "cpu µs a request";

  /** CPU time of Redis for a request. */
  static final String REDIS_CPU = "redis cpu µs a request";

  /** CPU time of the contender, Redis, Kafka and MariaDB together for a request. */
  static final String ALL_CPU = "all cpu µs a request";

  /** A ratio whose rounds scatter by more than this share of the median is not conclusive. */
  static final double CONCLUSIVE = 0.1;

  private static final int MANY_ROUNDS = 5;

  public Ratio {
    byRound = List.copyOf(byRound);
    cpuByRound = List.copyOf(cpuByRound);
  }

  static Ratio of(
      String name,
      Path path,
      int products,
      String numerator,
      String denominator,
      double goal,
      List<Measurement> measurements,
      Map<String, String> failures) {
    List<Double> rates = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (Measurement above : of(path, products, numerator, measurements)) {
      for (Measurement below : of(path, products, denominator, measurements)) {
        if (below.round() == above.round() && below.perSecond() > 0) {
          rates.add(above.perSecond() / below.perSecond());
          addCpu(cpu, CPU, above, below);
        }
      }
    }
    String reason = null;
    if (rates.isEmpty()) {
      reason =
          failures.getOrDefault(
              numerator, failures.getOrDefault(denominator, path.label() + " was not measured"));
    }
    return new Ratio(name, path, products, numerator, denominator, goal, rates, cpu, reason);
  }

  /** The ratio of one CPU figure, round by round. */
  static List<Double> cpu(
      String figure, Path path, String numerator, String denominator, List<Measurement> all) {
    List<Double> cpu = new ArrayList<>();
    for (Measurement above : of(path, 1, numerator, all)) {
      of(path, 1, denominator, all).stream()
          .filter(below -> below.round() == above.round())
          .forEach(below -> addCpu(cpu, figure, above, below));
    }
    return cpu;
  }

  private static void addCpu(
      List<Double> cpu, String figure, Measurement above, Measurement below) {
    double spent = above.figures().getOrDefault(figure, 0.0);
    double other = below.figures().getOrDefault(figure, 0.0);
    if (spent > 0 && other > 0) {
      cpu.add(spent / other);
    }
  }

  private static List<Measurement> of(
      Path path, int products, String contender, List<Measurement> measurements) {
    return measurements.stream()
        .filter(m -> m.path() == path && m.products() == products)
        .filter(m -> m.contender().equals(contender))
        .toList();
  }

  /** The compared quantity, e.g. {@code purchases accepted}. */
  public String what() {
    return path.meaning() + (products == 1 ? "" : ", over " + products + " products");
  }

  public boolean hasGoal() {
    return !Double.isNaN(goal);
  }

  /** Whether the median reaches the goal; false when one of them is missing. */
  public boolean isMet() {
    return hasGoal() && median().isPresent() && median().getAsDouble() >= goal;
  }

  /** Empty when there was nothing to compare. */
  public OptionalDouble median() {
    return median(byRound);
  }

  /** The median ratio of the CPU time for a request; empty when it was not measured. */
  public OptionalDouble cpuMedian() {
    return median(cpuByRound);
  }

  /**
   * Whether the rounds agree well enough to draw a conclusion: there is more than one and they
   * scatter little, or there are at least five and all lie on the same side of the goal (of 1
   * without a goal).
   */
  public boolean isConclusive() {
    double line = hasGoal() ? goal : 1;
    boolean oneSide =
        byRound.stream().allMatch(r -> r >= line) || byRound.stream().allMatch(r -> r < line);
    boolean many = byRound.size() >= MANY_ROUNDS;
    return byRound.size() > 1 && (spread() <= CONCLUSIVE || (many && oneSide));
  }

  /**
   * The distance of the largest from the smallest round as a share of the median. With five rounds
   * or more the largest and the smallest one do not count.
   */
  double spread() {
    List<Double> sorted = byRound.stream().sorted().toList();
    int cut = sorted.size() >= MANY_ROUNDS ? 1 : 0;
    double width = sorted.get(sorted.size() - 1 - cut) - sorted.get(cut);
    return width / median().orElseThrow();
  }

  static OptionalDouble median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
            .average()
            .getAsDouble());
  }
}
