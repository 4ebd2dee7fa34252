package io.seckill.bench.report;

import io.seckill.bench.baseline.Baseline;
import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Measurement.Path;
import io.seckill.bench.run.Product;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Everything a comparison found, for the JSON, the Markdown and the page.
 *
 * @param machine facts about where and how it ran
 * @param failures why a contender did not run, or not to the end
 * @param footprints of each contender once it was warm
 */
public record BenchReport(
    Map<String, String> machine,
    List<Measurement> measurements,
    Map<String, String> failures,
    Map<String, Map<String, Double>> footprints) {

  private static final String FRONT = Product.REQUEST_PATH;
  private static final String FULL = Product.FULL;

  /** How each contender is called in tables and plots. */
  public static final Map<String, String> LABELS =
      Map.ofEntries(
          Map.entry(FRONT, "product, request path"),
          Map.entry(FULL, "product"),
          Map.entry(Product.BEFORE_REQUEST_PATH, "other build, request path"),
          Map.entry(Product.BEFORE, "other build"),
          Map.entry(Product.STRATEGY_B, "product, strategy B"),
          Map.entry(Baseline.HAND_WRITTEN, "(a) hand-written"),
          Map.entry(Baseline.TUNED, "(a2) hand-written, tuned"),
          Map.entry(Baseline.NAIVE, "(b) SELECT then UPDATE"),
          Map.entry(Baseline.CONDITIONAL, "(c) conditional UPDATE"),
          Map.entry("redis-benchmark", "(d) redis-benchmark"),
          Map.entry("pipelined client", "(d) pipelined client"),
          Map.entry(Baseline.PIPELINE, "(e) hand-written pipeline"));

  /** The ratios that have a goal, by their names in the JSON, in the order of the goals. */
  public List<Ratio> ratios() {
    return List.of(
        ratio("accepted_vs_handwritten", Path.ACCEPTED, FRONT, Baseline.HAND_WRITTEN, 1.0),
        ratio("accepted_vs_tuned", Path.ACCEPTED, FRONT, Baseline.TUNED, 0.75),
        ratio("sold_out_vs_handwritten", Path.SOLD_OUT, FRONT, Baseline.HAND_WRITTEN, 1.5),
        ratio("sold_out_vs_gated", Path.SOLD_OUT, FRONT, Baseline.TUNED, 0.75),
        ratio("end_to_end_vs_pipeline", Path.END_TO_END, FULL, Baseline.PIPELINE, 0.9),
        ratio("end_to_end_vs_conditional", Path.END_TO_END, FULL, Baseline.CONDITIONAL, 4),
        ratio("b_vs_a", Path.END_TO_END, Product.STRATEGY_B, FULL, 0.9));
  }

  /** This build in relation to the other one; without a goal, for that build can be any. */
  public List<Ratio> ratiosToBefore() {
    return List.of(
        toBefore("accepted_vs_before", Path.ACCEPTED, 1),
        toBefore("accepted_10_vs_before", Path.ACCEPTED, 10),
        toBefore("accepted_100_vs_before", Path.ACCEPTED, 100),
        toBefore("sold_out_vs_before", Path.SOLD_OUT, 1),
        toBefore("duplicate_vs_before", Path.DUPLICATE, 1),
        toBefore("result_vs_before", Path.RESULT, 1),
        toBefore("end_to_end_vs_before", Path.END_TO_END, 1),
        toBefore("end_to_end_10_vs_before", Path.END_TO_END, 10),
        toBefore("end_to_end_100_vs_before", Path.END_TO_END, 100));
  }

  /** Ratios without a goal. */
  public List<Ratio> furtherRatios() {
    return List.of(
        further("accepted_10_vs_tuned", Path.ACCEPTED, 10, FRONT, Baseline.TUNED),
        further("accepted_100_vs_tuned", Path.ACCEPTED, 100, FRONT, Baseline.TUNED),
        further("duplicate_vs_handwritten", Path.DUPLICATE, 1, FRONT, Baseline.HAND_WRITTEN),
        further("duplicate_vs_tuned", Path.DUPLICATE, 1, FRONT, Baseline.TUNED),
        further("result_vs_handwritten", Path.RESULT, 1, FRONT, Baseline.HAND_WRITTEN),
        further("result_vs_tuned", Path.RESULT, 1, FRONT, Baseline.TUNED),
        further("end_to_end_100_vs_pipeline", Path.END_TO_END, 100, FULL, Baseline.PIPELINE));
  }

  /** Every ratio there can be. */
  List<Ratio> allRatios() {
    return Stream.of(ratios(), ratiosToBefore(), furtherRatios()).flatMap(List::stream).toList();
  }

  /** For reading: ratios that were measured, or are missing because a contender failed. */
  List<Ratio> measuredRatios() {
    return allRatios().stream()
        .filter(
            ratio ->
                ratio.median().isPresent()
                    || failures.containsKey(ratio.numerator())
                    || failures.containsKey(ratio.denominator()))
        .toList();
  }

  /**
   * CPU time for a request in relation: each ratio's by its name, and two more by which builds are
   * compared. Below 1 is less CPU. Empty where it was not measured.
   */
  public Map<String, OptionalDouble> cpuRatios() {
    Map<String, OptionalDouble> cpu = new LinkedHashMap<>();
    allRatios().forEach(ratio -> cpu.put(ratio.name(), ratio.cpuMedian()));
    List<Double> reserve =
        Ratio.cpu(Ratio.REDIS_CPU, Path.ACCEPTED, FRONT, Product.BEFORE_REQUEST_PATH, measurements);
    List<Double> all =
        Ratio.cpu(Ratio.ALL_CPU, Path.END_TO_END, FULL, Product.BEFORE, measurements);
    cpu.put("reserve_cpu_vs_before", Ratio.median(reserve));
    cpu.put("end_to_end_all_cpu_vs_before", Ratio.median(all));
    return cpu;
  }

  private Ratio ratio(String name, Path path, String above, String below, double goal) {
    return Ratio.of(name, path, 1, above, below, goal, measurements, failures);
  }

  private Ratio toBefore(String name, Path path, int products) {
    return path == Path.END_TO_END
        ? further(name, path, products, FULL, Product.BEFORE)
        : further(name, path, products, FRONT, Product.BEFORE_REQUEST_PATH);
  }

  private Ratio further(String name, Path path, int products, String above, String below) {
    return Ratio.of(name, path, products, above, below, Double.NaN, measurements, failures);
  }

  /** p99 in milliseconds from the 202 to SUCCESS at half the ceiling; empty when not measured. */
  public OptionalDouble successP99() {
    return measurements.stream()
        .filter(m -> m.path() == Path.OPEN_END_TO_END && m.contender().equals(FULL))
        .filter(m -> m.untilTerminal().containsKey("p99"))
        .mapToDouble(m -> m.untilTerminal().get("p99"))
        .findFirst();
  }

  /** Breaches of the invariants, but for the baseline that is there to show how one oversells. */
  public List<String> breaches() {
    List<String> breaches = new ArrayList<>();
    for (Measurement m : measurements) {
      if (!m.contender().equals(Baseline.NAIVE)) {
        m.breaches().forEach(b -> breaches.add(m.contender() + ", " + m.path().label() + ": " + b));
      }
    }
    return breaches;
  }

  /** Units that the naive baseline sold beyond its stock. */
  public OptionalDouble naiveOversold() {
    return measurements.stream()
        .filter(m -> m.contender().equals(Baseline.NAIVE))
        .mapToDouble(m -> m.figures().getOrDefault("oversold", 0.0))
        .max();
  }

  /** The rounds of each contender on a path, in the order in which they were first measured. */
  Map<String, List<Measurement>> byContender(Path path, int products) {
    Map<String, List<Measurement>> byContender = new LinkedHashMap<>();
    for (Measurement m : measurements) {
      if (m.path() == path && m.products() == products && !isNaive(m)) {
        byContender.computeIfAbsent(m.contender(), name -> new ArrayList<>()).add(m);
      }
    }
    return byContender;
  }

  List<Integer> productCounts(Path path) {
    return measurements.stream()
        .filter(m -> m.path() == path)
        .map(Measurement::products)
        .distinct()
        .sorted()
        .toList();
  }

  /** The median over the rounds of one figure; empty when no round has it. */
  static OptionalDouble figure(List<Measurement> rounds, String name) {
    return Ratio.median(
        rounds.stream()
            .filter(m -> m.figures().containsKey(name))
            .map(m -> m.figures().get(name))
            .toList());
  }

  static double perSecond(List<Measurement> rounds) {
    return Ratio.median(rounds.stream().map(Measurement::perSecond).toList()).orElse(0);
  }

  private static boolean isNaive(Measurement m) {
    return m.contender().equals(Baseline.NAIVE);
  }
}
