package io.seckill.bench.report;

import io.seckill.bench.baseline.Baseline;
import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Measurement.Path;
import io.seckill.bench.run.Measurement.Sample;
import io.seckill.bench.run.Product;
import io.seckill.tools.Chart;
import io.seckill.tools.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All results of a comparison; the source of JSON, Markdown and page.
 *
 * @param machine the machine and the settings
 * @param failures why contenders did not run to the end
 * @param footprints of each contender once it was warm
 */
public record BenchReport(
    Map<String, String> machine,
    List<Measurement> measurements,
    Map<String, String> failures,
    Map<String, Map<String, Double>> footprints) {

  private static final String TEMPLATES = "/io/seckill/bench/report/";
  private static final List<String> HEADLINES =
      List.of("accepted_vs_tuned", "sold_out_vs_gated", "end_to_end_vs_conditional");
  private static final Map<Path, String> PHRASES =
      Map.of(
          Path.ACCEPTED, "accepts %s times as many purchases",
          Path.SOLD_OUT, "refuses %s times as many purchases of what is sold out",
          Path.END_TO_END, "makes %s times as many orders");
  private static final List<String> COLOURS =
      List.of("#2f6fde", "#e0862c", "#2e9c6a", "#a24bc4", "#6c7a89", "#c0292b");
  private static final String FRONT = Product.REQUEST_PATH;
  private static final String FULL = Product.FULL;
  private static final String P99 = "p99";

  /** The name of each contender in the report. */
  private static final Map<String, String> LABELS =
      Map.ofEntries(
          Map.entry(FRONT, "application, request path"),
          Map.entry(FULL, "application"),
          Map.entry(Product.STRATEGY_B, "application, strategy B"),
          Map.entry(Product.BEFORE_REQUEST_PATH, "other build, request path"),
          Map.entry(Product.BEFORE, "other build"),
          Map.entry(Baseline.HAND_WRITTEN, "hand-written server (a)"),
          Map.entry(Baseline.TUNED, "tuned hand-written server (a2)"),
          Map.entry(Baseline.NAIVE, "server with SELECT, then UPDATE (b)"),
          Map.entry(Baseline.CONDITIONAL, "server with a conditional UPDATE (c)"),
          Map.entry("redis-benchmark", "redis-benchmark (d)"),
          Map.entry("pipelined client", "pipelined Redis client (d)"),
          Map.entry(Baseline.PIPELINE, "hand-written pipeline (e)"));

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

  /**
   * This build compared with the other one. There is no goal, because the other build can be any.
   */
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

  /** All ratios, measured or not. */
  public List<Ratio> allRatios() {
    return Stream.of(ratios(), ratiosToBefore(), furtherRatios()).flatMap(List::stream).toList();
  }

  /** Ratios that were measured, and those that are missing because a contender failed. */
  public List<Ratio> measuredRatios() {
    return allRatios().stream()
        .filter(
            ratio ->
                ratio.median().isPresent()
                    || failures.containsKey(ratio.numerator())
                    || failures.containsKey(ratio.denominator()))
        .toList();
  }

  /**
   * Ratios of CPU time for a request: one for each ratio, by its name, and three more that compare
   * builds. Below 1 is less CPU. Empty when it was not measured.
   */
  public Map<String, OptionalDouble> cpuRatios() {
    Map<String, OptionalDouble> cpu = new LinkedHashMap<>();
    allRatios().forEach(ratio -> cpu.put(ratio.name(), ratio.cpuMedian()));
    List<Double> reserve =
        Ratio.cpu(Ratio.REDIS_CPU, Path.ACCEPTED, FRONT, Product.BEFORE_REQUEST_PATH, measurements);
    List<Double> all =
        Ratio.cpu(Ratio.ALL_CPU, Path.END_TO_END, FULL, Product.BEFORE, measurements);
    cpu.put("reserve_cpu_vs_before", Ratio.median(reserve));
    List<Double> atRate =
        Ratio.cpu(Ratio.ALL_CPU, Path.AT_RATE, FULL, Product.BEFORE, measurements);
    cpu.put("end_to_end_all_cpu_vs_before", Ratio.median(all));
    cpu.put("low_rate_cpu_vs_before", Ratio.median(atRate));
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

  /**
   * p99 in milliseconds from the 202 to SUCCESS at half the ceiling, for buyers who poll; empty
   * when not measured.
   */
  public OptionalDouble successP99() {
    return Ratio.median(
        ofApplication(Path.OPEN_END_TO_END)
            .filter(m -> m.untilTerminal().containsKey(P99))
            .map(m -> m.untilTerminal().get(P99))
            .toList());
  }

  /**
   * What waiting costs and brings at half the ceiling, round by round: {@code
   * waiting_p99_vs_polling}, the p99 from the purchase to SUCCESS for buyers who wait in the
   * request, to that from the 202 to SUCCESS for buyers who poll each 5 ms; {@code
   * waiting_cpu_vs_unasked}, the application's CPU time of an order whose buyer waits, to that of
   * an order nobody asks for. Empty when it was not measured.
   */
  public Map<String, OptionalDouble> waitingRatios() {
    Map<String, OptionalDouble> waiting = new LinkedHashMap<>();
    waiting.put(
        "waiting_p99_vs_polling",
        waitingTo(Path.OPEN_END_TO_END, m -> m.untilTerminal().getOrDefault(P99, 0.0)));
    waiting.put(
        "waiting_cpu_vs_unasked",
        waitingTo(Path.UNASKED, m -> m.figures().getOrDefault(Ratio.CPU, 0.0)));
    return waiting;
  }

  private OptionalDouble waitingTo(Path other, Function<Measurement, Double> figure) {
    return Ratio.median(
        ofApplication(Path.WAITING)
            .flatMap(
                waiting ->
                    ofApplication(other)
                        .filter(m -> m.round() == waiting.round() && figure.apply(m) > 0)
                        .map(m -> figure.apply(waiting) / figure.apply(m)))
            .toList());
  }

  private Stream<Measurement> ofApplication(Path path) {
    return measurements.stream().filter(m -> m.path() == path && m.contender().equals(FULL));
  }

  /** Breaches of the invariants, without those of the naive baseline, which oversells by design. */
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

  /** Ratios with a goal that were measured. */
  public List<Ratio> judged() {
    return ratios().stream().filter(ratio -> ratio.median().isPresent()).toList();
  }

  /** The result in one sentence. */
  public String headline() {
    List<Ratio> baselines =
        ratios().stream().filter(ratio -> HEADLINES.contains(ratio.name())).toList();
    for (List<Ratio> candidates : List.of(ratiosToBefore(), baselines, allRatios())) {
      List<Ratio> measured =
          candidates.stream()
              .filter(ratio -> ratio.products() == 1 && ratio.median().isPresent())
              .filter(ratio -> PHRASES.containsKey(ratio.path()))
              .limit(HEADLINES.size())
              .toList();
      if (!measured.isEmpty()) {
        return sentence(measured);
      }
    }
    return "No two contenders were measured on the same path, so there is nothing to compare.";
  }

  private String sentence(List<Ratio> ratios) {
    StringBuilder text = new StringBuilder("In a second, the application ");
    String other = "";
    for (int i = 0; i < ratios.size(); i++) {
      Ratio ratio = ratios.get(i);
      if (i > 0) {
        text.append(i == ratios.size() - 1 ? " and " : ", ");
      }
      text.append(
          String.format(
              Locale.ROOT, PHRASES.get(ratio.path()), number(ratio.median().orElseThrow())));
      String name = label(ratio.denominator()).replace(", request path", "");
      if (!name.equals(other)) {
        text.append(" as the ").append(name);
        other = name;
      }
      text.append(ratio.isConclusive() ? "" : " (not conclusive)");
    }
    return text.append('.').toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  public String label(String contender) {
    return LABELS.getOrDefault(contender, contender);
  }

  /**
   * The results of one contender over all rounds of a path.
   *
   * @param rounds answers (end to end: orders) a second, in the order of the rounds
   * @param figures median of each figure
   * @param latency percentiles of the first round in milliseconds; so is {@code untilSuccess}
   */
  public record Row(
      String contender,
      List<Double> rounds,
      Map<String, Double> figures,
      Map<String, Double> latency,
      Map<String, Double> untilSuccess) {
    public double perSecond() {
      return Ratio.median(rounds).orElse(0);
    }
  }

  /** The contenders on one path with one number of products. */
  public record Section(Path path, int products, List<Row> rows, List<Chart> charts) {
    /** The highest rate of any round. */
    public double most() {
      return rows.stream().flatMap(r -> r.rounds().stream()).mapToDouble(r -> r).max().orElse(1);
    }
  }

  /** In the order of the paths; without the naive baseline. */
  public List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    for (Path path : Path.values()) {
      Map<Integer, Map<String, List<Measurement>>> byProducts = new TreeMap<>();
      measurements.stream()
          .filter(m -> m.path() == path && !m.contender().equals(Baseline.NAIVE))
          .forEach(
              m ->
                  byProducts
                      .computeIfAbsent(m.products(), products -> new LinkedHashMap<>())
                      .computeIfAbsent(m.contender(), contender -> new ArrayList<>())
                      .add(m));
      byProducts.forEach(
          (products, byContender) -> {
            List<Row> rows = new ArrayList<>();
            byContender.forEach((contender, rounds) -> rows.add(row(contender, rounds)));
            List<Chart> charts = new ArrayList<>();
            percentiles("Milliseconds until the answer", rows, Row::latency).ifPresent(charts::add);
            percentiles("Milliseconds from the 202 to SUCCESS", rows, Row::untilSuccess)
                .ifPresent(charts::add);
            byContender.values().forEach(rounds -> backlog(rounds).ifPresent(charts::add));
            sections.add(new Section(path, products, rows, charts));
          });
    }
    return sections;
  }

  private static Row row(String contender, List<Measurement> rounds) {
    Map<String, Double> figures = new LinkedHashMap<>();
    rounds.get(0).figures().keySet().stream()
        .filter(name -> rounds.stream().allMatch(m -> m.figures().containsKey(name)))
        .forEach(
            name ->
                figures.put(
                    name,
                    Ratio.median(rounds.stream().map(m -> m.figures().get(name)).toList())
                        .orElseThrow()));
    Measurement first = rounds.get(0);
    List<Double> rates = rounds.stream().map(Measurement::perSecond).toList();
    return new Row(contender, rates, figures, first.latency(), first.untilTerminal());
  }

  private Optional<Chart> percentiles(
      String title, List<Row> rows, Function<Row, Map<String, Double>> of) {
    List<Row> timed = rows.stream().filter(row -> !of.apply(row).isEmpty()).toList();
    if (timed.isEmpty()) {
      return Optional.empty();
    }
    List<String> names = List.copyOf(of.apply(timed.get(0)).keySet());
    List<Chart.Series> curves = new ArrayList<>();
    for (Row row : timed) {
      String colour = COLOURS.get(curves.size() % COLOURS.size());
      // a logarithmic axis cannot show 0
      List<Double> values =
          names.stream().map(name -> Math.max(0.01, of.apply(row).get(name))).toList();
      curves.add(new Chart.Series(label(row.contender()), colour, false, values));
    }
    List<Double> x = IntStream.range(0, names.size()).mapToObj(i -> (double) i).toList();
    return Optional.of(new Chart(title, x, names, " ms", true, false, curves, List.of()));
  }

  private Optional<Chart> backlog(List<Measurement> rounds) {
    Measurement last = rounds.get(rounds.size() - 1);
    List<Sample> samples = last.backlog();
    if (last.products() > 1 || samples.size() < 3) {
      return Optional.empty();
    }
    return Optional.of(
        new Chart(
            "Purchases accepted and orders confirmed: " + label(last.contender()),
            samples.stream().map(Sample::seconds).toList(),
            List.of(),
            "",
            false,
            false,
            List.of(
                curve("accepted", COLOURS.get(0), samples, Sample::accepted),
                curve("confirmed", COLOURS.get(1), samples, Sample::persisted)),
            List.of()));
  }

  private static Chart.Series curve(
      String name, String colour, List<Sample> samples, ToDoubleFunction<Sample> value) {
    return new Chart.Series(
        name, colour, false, samples.stream().map(s -> value.applyAsDouble(s)).toList());
  }

  /** The report as text. */
  public String markdown() throws IOException {
    return Page.render(TEMPLATES + "report.md.ftl", Map.of("report", this));
  }

  /** The report as one page without external files. */
  public String html() throws IOException {
    return Page.render(TEMPLATES + "report.ftlh", Map.of("report", this));
  }
}
