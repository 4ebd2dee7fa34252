package io.seckill.bench.report;

import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Measurement.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The report as one page: no script, no font, no picture from elsewhere. */
public final class HtmlReport {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Benchmark</title>
      <style>
      :root { --ink: #1c2430; --soft: #5d6b7d; --line: #d9dfe7; --paper: #fff; --ok: #1d7a46;
        --bad: #b3261e; --c0: #2f6fde; --c1: #e0862c; --c2: #2e9c6a; --c3: #a24bc4; --c4: #6c7a89; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa7b8; --line: #333d4b;
        --paper: #141a22; --ok: #58c98a; --bad: #ff7a70; } }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
        max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
      table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
      th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
      td.n, th.n { text-align: right; } .soft { color: var(--soft); }
      .ok { color: var(--ok); } .bad { color: var(--bad); }
      figure { margin: 1.2rem 0; } figcaption { color: var(--soft); margin-bottom: .3rem; }
      svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
      svg circle { fill: var(--ink); opacity: .55; }
      svg .grid { stroke: var(--line); } svg polyline { fill: none; stroke-width: 2; }
      .c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); }
      .c3 { fill: var(--c3); } .c4 { fill: var(--c4); }
      .l0 { stroke: var(--c0); } .l1 { stroke: var(--c1); } .l2 { stroke: var(--c2); }
      .l3 { stroke: var(--c3); } .l4 { stroke: var(--c4); }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
      dt { color: var(--soft); } dd { margin: 0; }
      </style></head><body>
      <h1>Benchmark</h1>
      """;

  private final StringBuilder html = new StringBuilder(HEAD);
  private final BenchReport report;

  private HtmlReport(BenchReport report) {
    this.report = report;
  }

  public static String write(BenchReport report) {
    return new HtmlReport(report).write();
  }

  private String write() {
    verdict();
    ratios();
    for (Path path : Path.values()) {
      path(path);
    }
    machine();
    return html.append("</body></html>\n").toString();
  }

  private void verdict() {
    List<String> breaches = report.breaches();
    if (breaches.isEmpty()) {
      html.append("<p class='ok'>Every run was checked against the books it left: ")
          .append("no invariant was breached.</p>");
    } else {
      html.append("<p class='bad'>Invariants were breached:</p><ul>");
      breaches.forEach(b -> html.append("<li>").append(escape(b)).append("</li>"));
      html.append("</ul>");
    }
    report
        .naiveOversold()
        .ifPresent(
            units ->
                html.append("<p>Baseline (b), which is there to show how that happens, sold ")
                    .append(MarkdownReport.number(units, 0))
                    .append(" units beyond its stock of 2,000.</p>"));
    report
        .failures()
        .forEach(
            (name, why) ->
                html.append("<p class='bad'>")
                    .append(escape(MarkdownReport.label(name) + " dropped out: " + why))
                    .append("</p>"));
  }

  private void ratios() {
    html.append("<h2>Ratios</h2><p class='soft'>Medians over alternating rounds.</p><table><tr>")
        .append("<th>ratio</th><th>of</th><th>to</th><th class='n'>median</th>")
        .append("<th class='n'>CPU a request</th>")
        .append("<th class='n'>goal</th><th>rounds</th></tr>");
    report.measuredRatios().forEach(this::ratio);
    html.append("</table>");
    report
        .successP99()
        .ifPresent(
            p99 ->
                html.append("<p class='")
                    .append(p99 <= 250 ? "ok" : "bad")
                    .append("'>From the 202 to SUCCESS at half the ceiling: p99 ")
                    .append(MarkdownReport.number(p99, 1))
                    .append(" ms (goal: at most 250 ms).</p>"));
  }

  private void ratio(Ratio ratio) {
    OptionalDouble median = ratio.median();
    boolean judged = median.isPresent() && !Double.isNaN(ratio.goal());
    String verdict = !judged ? "soft" : median.getAsDouble() >= ratio.goal() ? "ok" : "bad";
    html.append("<tr><td>").append(ratio.name());
    html.append("</td><td>").append(escape(MarkdownReport.label(ratio.numerator())));
    html.append("</td><td>").append(escape(MarkdownReport.label(ratio.denominator())));
    html.append("</td><td class='n ").append(verdict).append("'>");
    html.append(
        median.isPresent()
            ? MarkdownReport.number(median.getAsDouble(), 2)
            : escape("none: " + ratio.reason()));
    html.append("</td><td class='n'>");
    ratio.cpuMedian().ifPresent(cpu -> html.append(MarkdownReport.number(cpu, 2)));
    html.append("</td><td class='n'>").append(Double.isNaN(ratio.goal()) ? "" : ratio.goal());
    html.append("</td><td class='soft'>");
    ratio.byRound().forEach(r -> html.append(MarkdownReport.number(r, 2)).append(' '));
    html.append("</td></tr>");
  }

  private void path(Path path) {
    List<Integer> counts = report.productCounts(path);
    if (counts.isEmpty()) {
      return;
    }
    html.append("<h2>").append(path.label()).append("</h2><p class='soft'>");
    html.append(path.meaning()).append(", a second</p>");
    for (int products : counts) {
      Map<String, List<Measurement>> byContender = report.byContender(path, products);
      if (byContender.isEmpty()) {
        continue;
      }
      Map<String, List<Double>> rates = new LinkedHashMap<>();
      byContender.forEach(
          (name, rounds) -> rates.put(name, rounds.stream().map(Measurement::perSecond).toList()));
      figure(products + (products == 1 ? " product" : " products"), Plots.bars(rates));
      table(byContender);
      latency("Time to the answer", byContender, true);
      latency("Time from the 202 to SUCCESS", byContender, false);
      if (products == 1) {
        byContender.forEach(this::backlog);
      }
    }
  }

  private void table(Map<String, List<Measurement>> byContender) {
    html.append("<table><tr><th>contender</th><th class='n'>CPU µs a request</th>");
    List<String> parts = List.of("contender", "redis", "kafka", "mariadb", "machine");
    parts.forEach(part -> html.append("<th class='n'>").append(part).append("</th>"));
    html.append("<th class='n'>RSS MiB</th></tr>");
    byContender.forEach(
        (name, rounds) -> {
          html.append("<tr><td>").append(escape(MarkdownReport.label(name))).append("</td>");
          cell(BenchReport.figure(rounds, "cpu µs a request"), 1);
          parts.forEach(part -> cell(BenchReport.figure(rounds, "cores " + part), 2));
          cell(BenchReport.figure(rounds, "rss MiB"), 0);
          html.append("</tr>");
        });
    html.append("</table><p class='soft'>Columns from contender to machine: cores in use.</p>");
  }

  private void cell(OptionalDouble value, int decimals) {
    html.append("<td class='n'>");
    value.ifPresent(v -> html.append(MarkdownReport.number(v, decimals)));
    html.append("</td>");
  }

  private void latency(
      String title, Map<String, List<Measurement>> byContender, boolean ofAnswers) {
    Map<String, Map<String, Double>> curves = new LinkedHashMap<>();
    byContender.forEach(
        (name, rounds) -> {
          Measurement first = rounds.get(0);
          Map<String, Double> curve = ofAnswers ? first.latency() : first.untilTerminal();
          if (!curve.isEmpty()) {
            curves.put(name, curve);
          }
        });
    if (!curves.isEmpty()) {
      figure(title, Plots.percentiles(curves));
    }
  }

  private void backlog(String contender, List<Measurement> rounds) {
    Measurement last = rounds.get(rounds.size() - 1);
    if (last.backlog().size() > 2) {
      figure(
          "Accepted and persisted orders over time: " + MarkdownReport.label(contender),
          Plots.backlog(last.backlog()));
    }
  }

  private void figure(String caption, String svg) {
    html.append("<figure><figcaption>").append(escape(caption)).append("</figcaption>");
    html.append(svg).append("</figure>");
  }

  private void machine() {
    html.append("<h2>Where and how</h2><dl>");
    report
        .machine()
        .forEach(
            (name, value) ->
                html.append("<dt>")
                    .append(escape(name))
                    .append("</dt><dd>")
                    .append(escape(value))
                    .append("</dd>"));
    html.append("</dl><h2>Footprint, warm</h2><table><tr><th>contender</th>")
        .append("<th class='n'>live heap MiB</th><th class='n'>RSS MiB</th>")
        .append("<th class='n'>cores when idle</th></tr>");
    report
        .footprints()
        .forEach(
            (name, footprint) -> {
              html.append("<tr><td>").append(escape(MarkdownReport.label(name))).append("</td>");
              cell(OptionalDouble.of(footprint.get("heap MiB, live")), 0);
              cell(OptionalDouble.of(footprint.get("rss MiB")), 0);
              cell(OptionalDouble.of(footprint.get("cores, idle")), 3);
              html.append("</tr>");
            });
    html.append("</table>");
  }

  static String escape(String text) {
    return String.valueOf(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;");
  }
}
