package io.seckill.drill.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A small chart over the time of a run: stacked series, and marks where something was done. */
final class Chart {
  private static final int WIDTH = 1_060;
  private static final int LEFT = 44;
  private static final int BOTTOM = 22;
  private static final int TOP = 18;

  /** Numbers of marks that lie closer would cover each other. */
  private static final int LABEL_WIDTH = 15;

  /**
   * @param values one a column
   */
  record Series(String name, String colour, double[] values) {}

  record Mark(long at, String what) {}

  private final int height;
  private final long millis;
  private final double[] columns;
  private final List<Series> stacked = new ArrayList<>();
  private final List<Series> lines = new ArrayList<>();
  private final List<Mark> marks = new ArrayList<>();
  private final boolean bars;

  /**
   * @param millis length of the time axis
   * @param columns time of each value, ms
   * @param bars steps instead of slopes
   */
  Chart(int height, long millis, double[] columns, boolean bars) {
    this.height = height;
    this.millis = Math.max(1, millis);
    this.columns = columns;
    this.bars = bars;
  }

  Chart stack(Series series) {
    stacked.add(series);
    return this;
  }

  Chart line(Series series) {
    lines.add(series);
    return this;
  }

  Chart marks(List<Mark> all) {
    marks.addAll(all);
    return this;
  }

  private double x(double at) {
    return LEFT + (WIDTH - LEFT - 4) * at / millis;
  }

  private double y(double value, double top) {
    return TOP + (height - TOP - BOTTOM) * (1 - value / top);
  }

  String svg(String label) {
    double top = 1;
    for (int i = 0; i < columns.length; i++) {
      double sum = 0;
      for (Series series : stacked) {
        sum += series.values()[i];
      }
      for (Series series : lines) {
        top = Math.max(top, series.values()[i]);
      }
      top = Math.max(top, sum);
    }
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
            WIDTH, height, Page.escape(label)));
    for (int i = 0; i <= 2; i++) {
      double value = top * i / 2;
      svg.append(
          format(
              "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\""
                  + " opacity=\"0.15\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>",
              LEFT, WIDTH - 4, y(value, top), y(value, top), LEFT - 6, y(value, top) + 4, value));
    }
    double[] base = new double[columns.length];
    for (Series series : stacked) {
      svg.append(area(series, base, top));
      for (int i = 0; i < base.length; i++) {
        base[i] += series.values()[i];
      }
    }
    for (Series series : lines) {
      StringBuilder points = new StringBuilder();
      for (int i = 0; i < columns.length; i++) {
        points.append(format("%.1f,%.1f ", x(columns[i]), y(series.values()[i], top)));
      }
      svg.append(
          "<polyline fill=\"none\" stroke-width=\"2\" stroke=\""
              + series.colour()
              + "\" points=\""
              + points
              + "\"/>");
    }
    double free = 0;
    for (int i = 0; i < marks.size(); i++) {
      Mark mark = marks.get(i);
      double x = x(mark.at());
      svg.append(
          format(
              "<g><title>%s</title><line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\""
                  + " stroke=\"currentColor\" stroke-dasharray=\"3 3\" opacity=\"0.6\"/>",
              Page.escape(mark.what()), x, x, TOP, height - BOTTOM));
      if (x >= free) {
        svg.append(
            format(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>", x, TOP - 4, i + 1));
        free = x + LABEL_WIDTH;
      }
      svg.append("</g>");
    }
    long step = step();
    for (long at = 0; at <= millis; at += step) {
      svg.append(
          format(
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s s</text>",
              x(at), height - 6, step < 1000 ? format("%.1f", at / 1000.0) : at / 1000));
    }
    return svg.append("</svg>").toString();
  }

  private String area(Series series, double[] base, double top) {
    StringBuilder up = new StringBuilder();
    StringBuilder down = new StringBuilder();
    for (int i = 0; i < columns.length; i++) {
      double next = i + 1 < columns.length ? columns[i + 1] : millis;
      double high = y(base[i] + series.values()[i], top);
      double low = y(base[i], top);
      up.append(format("%.1f,%.1f ", x(columns[i]), high));
      down.insert(0, format("%.1f,%.1f ", x(columns[i]), low));
      if (bars) {
        up.append(format("%.1f,%.1f ", x(next), high));
        down.insert(0, format("%.1f,%.1f ", x(next), low));
      }
    }
    return "<polygon stroke=\"none\" fill=\""
        + series.colour()
        + "\" points=\""
        + up
        + down
        + "\"/>";
  }

  private long step() {
    for (long step : new long[] {500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000}) {
      if (millis / step <= 12) {
        return step;
      }
    }
    return 120_000;
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** Names and colours of all series. */
  String legend() {
    StringBuilder legend = new StringBuilder("<p class=\"legend soft\">");
    List<Series> all = new ArrayList<>(stacked);
    all.addAll(lines);
    for (Series series : all) {
      legend.append(
          "<span><i style=\"background:"
              + series.colour()
              + "\"></i>"
              + Page.escape(series.name())
              + "</span>");
    }
    return legend.append("</p>").toString();
  }
}
