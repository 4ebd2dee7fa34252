package io.seckill.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.seckill.bench.run.Growth.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How cost grows, as Markdown and as JSON. */
public record GrowthReport(String markdown, byte[] json) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public static GrowthReport of(List<Step> steps, Map<String, String> failures) throws IOException {
    StringBuilder text = new StringBuilder("# How cost grows\n\n");
    int cores = Runtime.getRuntime().availableProcessors();
    text.append("All servers, all instances and the load generator share ").append(cores);
    text.append(" cores, so several instances show contention, not scale.\n\n");
    text.append("| what grows | to | orders/s | Redis bytes an order | CPU µs an answer ");
    text.append("| cores: application, redis, kafka, mariadb, machine | first limit |\n");
    text.append("| --- | ---: | ---: | ---: | ---: | --- | --- |\n");
    List<Object> rows = new ArrayList<>();
    for (Step step : steps) {
      text.append(markdown(step));
      rows.add(row(step));
    }
    failures.forEach((name, why) -> text.append("\n- ").append(name).append(": ").append(why));
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("version", 1);
    root.put("cores", cores);
    root.put("growth", rows);
    root.put("failures", failures);
    return new GrowthReport(text.toString(), JSON.writeValueAsBytes(root));
  }

  private static String markdown(Step step) {
    Map<String, Double> figures = step.measured().figures();
    List<String> parts =
        List.of("contender", "redis", "kafka", "mariadb", "machine").stream()
            .map(part -> MarkdownReport.number(figures.getOrDefault("cores " + part, 0.0), 2))
            .toList();
    String breaches =
        step.measured().breaches().isEmpty() ? "" : " BREACH " + step.measured().breaches();
    return "| %s | %,d | %s | %s | %s | %s | %s |%n"
        .formatted(
            step.grows(),
            step.to(),
            MarkdownReport.number(step.measured().perSecond(), 0),
            MarkdownReport.number(figures.getOrDefault("redis bytes a unit", 0.0), 0),
            MarkdownReport.number(figures.getOrDefault("cpu µs a request", 0.0), 1),
            String.join(", ", parts),
            step.firstLimit() + breaches);
  }

  private static Map<String, Object> row(Step step) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("grows", step.grows());
    row.put("to", step.to());
    row.put("orders_per_second", step.measured().perSecond());
    row.put("figures", step.measured().figures());
    row.put("first_limit", step.firstLimit());
    row.put("breaches", step.measured().breaches());
    return row;
  }
}
