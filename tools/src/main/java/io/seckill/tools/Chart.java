package io.seckill.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * Curves over one axis, which uPlot draws on the page.
 *
 * @param x positions on the axis; seconds without names
 * @param names names of the positions; empty for a time axis
 * @param unit unit of the values, as text after a number
 * @param logarithmic whether the axis of the values is logarithmic
 * @param steps whether a value holds until the next position; else lines join the values
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

  /** The chart as JSON that is safe in a script element. */
  public String json() {
    try {
      return JSON.writeValueAsString(this).replace("<", "\\u003c");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a chart of numbers and names is always JSON", e);
    }
  }
}
