package io.seckill.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * Curves over one axis, drawn on the page by uPlot.
 *
 * @param x positions on the axis; seconds where there are no names
 * @param names of the positions; empty: the axis is time
 * @param unit of the values, as text after a number
 * @param logarithmic whether the axis of the values is
 * @param steps whether a value holds until the next position; else values are joined by lines
 * @param marks vertical lines, numbered from 1
 */
public record Chart(
    String title,
    List<Double> x,
    List<String> names,
    String unit,
    boolean logarithmic,
    boolean steps,
    List<Series> series,
    List<Double> marks) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * @param colour of CSS
   * @param stacked drawn as an area on top of the stacked series before it; else a line
   * @param values one for each position
   */
  public record Series(String name, String colour, boolean stacked, List<Double> values) {}

  /** The chart as JSON that may stand in a script element. */
  public String json() {
    try {
      return JSON.writeValueAsString(this).replace("<", "\\u003c");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a chart of numbers and names is always JSON", e);
    }
  }
}
