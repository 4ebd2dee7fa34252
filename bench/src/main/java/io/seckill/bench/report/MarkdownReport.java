package io.seckill.bench.report;

import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Measurement.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The report for reading in a terminal or a repository. */
public final class MarkdownReport {
  private static final List<String> LATENCIES = List.of("p50", "p90", "p99", "p99.9", "max");

  private final StringBuilder text = new StringBuilder();
  private final BenchReport report;

  private MarkdownReport(BenchReport report) {
    this.report = report;
  }

  public static String write(BenchReport report) {
    return new MarkdownReport(report).write();
  }

  private String write() {
    line("# Benchmark");
    line("");
    report.machine().forEach((name, value) -> line("- " + name + ": " + value));
    verdict();
    ratios();
    for (Path path : Path.values()) {
      path(path);
    }
    footprints();
    return text.toString();
  }

  private void verdict() {
    line("");
    List<String> breaches = report.breaches();
    line(
        breaches.isEmpty()
            ? "Every run was checked against the books it left: no invariant was breached."
            : "**Invariants were breached:**");
    breaches.forEach(breach -> line("- " + breach));
    report
        .naiveOversold()
        .ifPresent(
            units ->
                line(
                    number(units, 0)
                        + " units were sold beyond the stock by baseline (b), which is there to show"
                        + " how that happens."));
    report.failures().forEach((name, why) -> line("- " + label(name) + " dropped out: " + why));
  }

  private void ratios() {
    heading("Ratios (medians over alternating rounds)");
    line("| ratio | of | to | median | CPU a request | goal | rounds |");
    line("| --- | --- | --- | ---: | ---: | ---: | --- |");
    report.measuredRatios().forEach(this::ratio);
    Map<String, OptionalDouble> cpu = report.cpuRatios();
    for (String name : List.of("reserve_cpu_vs_before", "end_to_end_all_cpu_vs_before")) {
      cpu.get(name).ifPresent(median -> line("").line(name + ": " + number(median, 2)));
    }
    report
        .successP99()
        .ifPresent(
            p99 ->
                line("")
                    .line(
                        "From the 202 to SUCCESS at half the ceiling: p99 "
                            + number(p99, 1)
                            + " ms (goal: at most 250 ms)."));
  }

  private void ratio(Ratio ratio) {
    OptionalDouble median = ratio.median();
    row(
        ratio.name(),
        label(ratio.numerator()),
        label(ratio.denominator()),
        median.isPresent()
            ? number(median.getAsDouble(), 2) + (ratio.isConclusive() ? "" : " (not conclusive)")
            : "none: " + ratio.reason(),
        optional(ratio.cpuMedian()),
        Double.isNaN(ratio.goal()) ? "" : "≥ " + ratio.goal(),
        String.join(" ", ratio.byRound().stream().map(r -> number(r, 2)).toList()));
  }

  private void path(Path path) {
    List<Integer> counts = report.productCounts(path);
    if (counts.isEmpty()) {
      return;
    }
    heading(path.label() + ": " + path.meaning());
    line("| products | contender | per second | rounds | CPU µs a request | figures |");
    line("| ---: | --- | ---: | --- | ---: | --- |");
    for (int products : counts) {
      report
          .byContender(path, products)
          .forEach((name, rounds) -> contender(products, name, rounds));
    }
    boolean timed =
        counts.stream()
            .flatMap(count -> report.byContender(path, count).values().stream())
            .anyMatch(rounds -> !rounds.get(0).latency().isEmpty());
    if (timed) {
      latencies(path, counts);
    }
  }

  private void contender(int products, String name, List<Measurement> rounds) {
    StringBuilder figures = new StringBuilder();
    for (String figure :
        List.of("accepted/s", "backlog at the end", "rss MiB", "redis bytes a unit")) {
      BenchReport.figure(rounds, figure)
          .ifPresent(
              value -> figures.append(figure).append(' ').append(number(value, 0)).append("; "));
    }
    for (String part : List.of("contender", "redis", "kafka", "mariadb", "machine")) {
      BenchReport.figure(rounds, "cores " + part)
          .ifPresent(
              value ->
                  figures.append(part).append(' ').append(number(value, 2)).append(" cores; "));
    }
    OptionalDouble cpu = BenchReport.figure(rounds, "cpu µs a request");
    row(
        Integer.toString(products),
        label(name),
        number(BenchReport.perSecond(rounds), 0),
        String.join(" ", rounds.stream().map(m -> number(m.perSecond(), 0)).toList()),
        cpu.isPresent() ? number(cpu.getAsDouble(), 1) : "",
        figures.toString());
  }

  private void latencies(Path path, List<Integer> counts) {
    line("");
    line("| products | contender | milliseconds | " + String.join(" | ", LATENCIES) + " |");
    line("| ---: | --- | --- | " + "---: | ".repeat(LATENCIES.size()).strip());
    for (int products : counts) {
      report
          .byContender(path, products)
          .forEach(
              (name, rounds) -> {
                latency(products, name, "answer", rounds.get(0).latency());
                latency(products, name, "202 to SUCCESS", rounds.get(0).untilTerminal());
              });
    }
  }

  private void latency(int products, String name, String what, Map<String, Double> percentiles) {
    if (!percentiles.isEmpty()) {
      line(
          "| %d | %s | %s | %s |"
              .formatted(
                  products,
                  label(name),
                  what,
                  String.join(
                      " | ", LATENCIES.stream().map(p -> number(percentiles.get(p), 1)).toList())));
    }
  }

  private void footprints() {
    heading("Footprint, warm");
    line("| contender | live heap MiB | RSS MiB | cores when idle |");
    line("| --- | ---: | ---: | ---: |");
    report
        .footprints()
        .forEach(
            (name, footprint) ->
                row(
                    label(name),
                    number(footprint.get("heap MiB, live"), 0),
                    number(footprint.get("rss MiB"), 0),
                    number(footprint.get("cores, idle"), 3)));
  }

  private void heading(String heading) {
    line("").line("## " + heading).line("");
  }

  private void row(String... cells) {
    line("| " + String.join(" | ", cells).replace("\n", " ") + " |");
  }

  private MarkdownReport line(String line) {
    text.append(line).append('\n');
    return this;
  }

  private static String optional(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble(), 2) : "";
  }

  static String label(String contender) {
    return BenchReport.LABELS.getOrDefault(contender, contender);
  }

  static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
