package io.seckill.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.seckill.bench.run.Measurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Writes the figures as JSON: {@code ratios} (each a number or null) and the measurements behind
 * them.
 */
public final class JsonReport {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonReport() {}

  public static byte[] write(BenchReport report) throws java.io.IOException {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("version", 1);
    root.put("result", report.headline());
    root.put("machine", report.machine());
    Map<String, Object> ratios = new LinkedHashMap<>();
    Map<String, Object> details = new LinkedHashMap<>();
    for (Ratio ratio : report.ratios()) {
      ratios.put(ratio.name(), orNull(ratio.median()));
      details.put(ratio.name(), details(ratio));
    }
    for (Ratio ratio : report.ratiosToBefore()) {
      ratios.put(ratio.name(), orNull(ratio.median()));
      details.put(ratio.name(), details(ratio));
    }
    Map<String, Object> further = new LinkedHashMap<>();
    for (Ratio ratio : report.furtherRatios()) {
      further.put(ratio.name(), orNull(ratio.median()));
      details.put(ratio.name(), details(ratio));
    }
    Map<String, Object> cpu = new LinkedHashMap<>();
    report.cpuRatios().forEach((name, median) -> cpu.put(name, orNull(median)));
    root.put("ratios", ratios);
    root.put("cpu_ratios", cpu);
    root.put("further_ratios", further);
    root.put("ratio_details", details);
    Map<String, Object> waiting = new LinkedHashMap<>();
    report.waitingRatios().forEach((name, median) -> waiting.put(name, orNull(median)));
    root.put("waiting_ratios", waiting);
    root.put("success_p99_ms", orNull(report.successP99()));
    root.put("naive_oversold", orNull(report.naiveOversold()));
    root.put("breaches", report.breaches());
    root.put("failures", report.failures());
    root.put("footprints", report.footprints());
    root.put("medians", medians(report));
    List<Object> runs = new ArrayList<>();
    report.measurements().forEach(m -> runs.add(run(m)));
    root.put("runs", runs);
    return JSON.writeValueAsBytes(root);
  }

  private static Object orNull(OptionalDouble value) {
    return value.isPresent() ? round(value.getAsDouble()) : null;
  }

  private static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static Map<String, Object> details(Ratio ratio) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("of", ratio.numerator());
    details.put("to", ratio.denominator());
    details.put("goal", ratio.hasGoal() ? ratio.goal() : null);
    details.put("products", ratio.products());
    details.put("conclusive", ratio.isConclusive());
    details.put("rounds", ratio.byRound().stream().map(JsonReport::round).toList());
    details.put("cpu_rounds", ratio.cpuByRound().stream().map(JsonReport::round).toList());
    details.put("reason", ratio.reason());
    return details;
  }

  private static List<Object> medians(BenchReport report) {
    List<Object> medians = new ArrayList<>();
    for (BenchReport.Section section : report.sections()) {
      for (BenchReport.Row row : section.rows()) {
        Map<String, Object> median = new LinkedHashMap<>();
        median.put("path", section.path().label());
        median.put("contender", row.contender());
        median.put("products", section.products());
        median.put("rounds", row.rounds().size());
        median.put("per_second", round(row.perSecond()));
        medians.add(median);
      }
    }
    return medians;
  }

  private static Map<String, Object> run(Measurement m) {
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("path", m.path().label());
    run.put("contender", m.contender());
    run.put("products", m.products());
    run.put("round", m.round());
    run.put("generator", m.generator());
    run.put("per_second", round(m.perSecond()));
    Map<String, Double> figures = new LinkedHashMap<>();
    m.figures().forEach((name, value) -> figures.put(name, round(value)));
    run.put("figures", figures);
    run.put("statuses", m.statuses());
    run.put("latency_ms", m.latency());
    run.put("until_success_ms", m.untilTerminal());
    run.put("breaches", m.breaches());
    return run;
  }
}
