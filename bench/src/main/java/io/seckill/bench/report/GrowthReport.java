package io.seckill.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.seckill.bench.run.Growth.Step;
import io.seckill.tools.Page;
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
    int cores = Runtime.getRuntime().availableProcessors();
    String markdown =
        Page.render(
            "/io/seckill/bench/report/growth.md.ftl",
            Map.of("cores", cores, "steps", steps, "failures", failures));
    List<Object> rows = new ArrayList<>();
    steps.forEach(step -> rows.add(row(step)));
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("version", 1);
    root.put("cores", cores);
    root.put("growth", rows);
    root.put("failures", failures);
    return new GrowthReport(markdown, JSON.writeValueAsBytes(root));
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
