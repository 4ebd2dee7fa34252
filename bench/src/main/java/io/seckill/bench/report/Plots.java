package io.seckill.bench.report;

import io.seckill.bench.run.Measurement.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Plots as inline SVG, in the colours of the page around them. */
final class Plots {
  private static final int WIDTH = 720;
  private static final int LABEL = 200;
  private static final int ROW = 30;
  private static final int HEIGHT = 260;
  private static final int LEFT = 70;
  private static final int BOTTOM = 30;

  private Plots() {}

  /** One bar a contender (the median) with a dot for each round. */
  static String bars(Map<String, List<Double>> rounds) {
    double most =
        rounds.values().stream().flatMap(List::stream).mapToDouble(r -> r).max().orElse(1);
    int height = ROW * rounds.size() + 10;
    StringBuilder svg = open(height);
    int y = 5;
    int colour = 0;
    for (Map.Entry<String, List<Double>> contender : rounds.entrySet()) {
      double median = Ratio.median(contender.getValue()).orElse(0);
      double scale = (WIDTH - LABEL - 110) / most;
      text(svg, LABEL - 8, y + 19, "end", MarkdownReport.label(contender.getKey()));
      add(
          svg,
          "<rect class='c%d' x='%d' y='%d' width='%.1f' height='%d' rx='2'/>",
          colour % 5,
          LABEL,
          y + 4,
          median * scale,
          ROW - 10);
      for (double round : contender.getValue()) {
        add(svg, "<circle cx='%.1f' cy='%d' r='3'/>", LABEL + round * scale, y + 14);
      }
      text(svg, WIDTH - 100, y + 19, "start", MarkdownReport.number(median, 0) + "/s");
      y += ROW;
      colour++;
    }
    return svg.append("</svg>").toString();
  }

  /** Percentiles (in milliseconds, logarithmic) of several contenders. */
  static String percentiles(Map<String, Map<String, Double>> byContender) {
    List<String> names = new ArrayList<>(byContender.values().iterator().next().keySet());
    double most =
        byContender.values().stream()
            .flatMap(p -> p.values().stream())
            .mapToDouble(v -> v)
            .max()
            .orElse(1);
    double least =
        byContender.values().stream()
            .flatMap(p -> p.values().stream())
            .mapToDouble(v -> v)
            .min()
            .orElse(0.1);
    double low = Math.floor(Math.log10(Math.max(0.01, least)));
    double high = Math.ceil(Math.log10(Math.max(1, most)));
    StringBuilder svg = open(HEIGHT + 20 * byContender.size());
    for (double power = low; power <= high; power++) {
      double y = vertical(power, low, high);
      add(svg, "<line class='grid' x1='%d' y1='%.1f' x2='%d' y2='%.1f'/>", LEFT, y, WIDTH, y);
      text(svg, LEFT - 6, (int) y + 4, "end", plain(Math.pow(10, power)) + " ms");
    }
    int step = (WIDTH - LEFT - 40) / Math.max(1, names.size() - 1);
    for (int i = 0; i < names.size(); i++) {
      text(svg, LEFT + 20 + i * step, HEIGHT - 8, "middle", names.get(i));
    }
    int colour = 0;
    for (Map.Entry<String, Map<String, Double>> contender : byContender.entrySet()) {
      StringBuilder points = new StringBuilder();
      int i = 0;
      for (double value : contender.getValue().values()) {
        points.append(
            String.format(
                Locale.ROOT,
                "%d,%.1f ",
                LEFT + 20 + i++ * step,
                vertical(Math.log10(Math.max(0.01, value)), low, high)));
      }
      add(svg, "<polyline class='l%d' points='%s'/>", colour % 5, points.toString().strip());
      legend(svg, colour, HEIGHT + 20 * colour, contender.getKey());
      colour++;
    }
    return svg.append("</svg>").toString();
  }

  /** Accepted and persisted orders over the seconds of a run. */
  static String backlog(List<Sample> samples) {
    double seconds = samples.stream().mapToDouble(Sample::seconds).max().orElse(1);
    long most = samples.stream().mapToLong(Sample::accepted).max().orElse(1);
    StringBuilder svg = open(HEIGHT + 40);
    add(svg, "<line class='grid' x1='%d' y1='10' x2='%d' y2='10'/>", LEFT, WIDTH);
    text(svg, LEFT - 6, 14, "end", MarkdownReport.number(most, 0));
    text(svg, WIDTH - 10, HEIGHT - 8, "end", MarkdownReport.number(seconds, 1) + " s");
    curve(svg, samples, 0, seconds, most, Sample::accepted);
    curve(svg, samples, 1, seconds, most, Sample::persisted);
    legend(svg, 0, HEIGHT, "accepted");
    legend(svg, 1, HEIGHT + 20, "persisted and confirmed");
    return svg.append("</svg>").toString();
  }

  private static void curve(
      StringBuilder svg,
      List<Sample> samples,
      int colour,
      double seconds,
      long most,
      ToDoubleFunction<Sample> value) {
    StringBuilder points = new StringBuilder();
    samples.stream()
        .sorted(Comparator.comparingDouble(Sample::seconds))
        .forEach(
            sample ->
                points.append(
                    String.format(
                        Locale.ROOT,
                        "%.1f,%.1f ",
                        LEFT + sample.seconds() / Math.max(0.001, seconds) * (WIDTH - LEFT - 10),
                        HEIGHT
                            - BOTTOM
                            - value.applyAsDouble(sample)
                                / Math.max(1, most)
                                * (HEIGHT - BOTTOM - 10))));
    add(svg, "<polyline class='l%d' points='%s'/>", colour, points.toString().strip());
  }

  private static double vertical(double power, double low, double high) {
    return HEIGHT - BOTTOM - (power - low) / Math.max(1, high - low) * (HEIGHT - BOTTOM - 10);
  }

  private static void legend(StringBuilder svg, int colour, int y, String contender) {
    add(
        svg,
        "<rect class='c%d' x='%d' y='%d' width='12' height='12' rx='2'/>",
        colour % 5,
        LEFT,
        y + 2);
    text(svg, LEFT + 18, y + 13, "start", MarkdownReport.label(contender));
  }

  private static StringBuilder open(int height) {
    return new StringBuilder(
        String.format(
            Locale.ROOT, "<svg viewBox='0 0 %d %d' role='img' width='100%%'>", WIDTH, height));
  }

  private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
    add(
        svg,
        "<text x='%d' y='%d' text-anchor='%s'>%s</text>",
        x,
        y,
        anchor,
        HtmlReport.escape(text));
  }

  private static void add(StringBuilder svg, String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments));
  }

  private static String plain(double value) {
    return value >= 1
        ? MarkdownReport.number(value, 0)
        : String.format(Locale.ROOT, "%.2f", value).replaceAll("0+$", "");
  }
}
