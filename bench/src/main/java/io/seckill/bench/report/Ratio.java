package io.seckill.bench.report;

import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Measurement.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one contender did in relation to another, round by round: only runs that followed each other
 * are compared, for the machine may be busier an hour later.
 *
 * @param name as in the JSON
 * @param goal what the ratio should reach; NaN where none is set
 * @param byRound in the order of the rounds
 * @param reason why there is no ratio; null when there is one
 */
public record Ratio(
    String name,
    Path path,
    String numerator,
    String denominator,
    double goal,
    List<Double> byRound,
    String reason) {

  public Ratio {
    byRound = List.copyOf(byRound);
  }

  static Ratio of(
      String name,
      Path path,
      String numerator,
      String denominator,
      double goal,
      List<Measurement> measurements,
      Map<String, String> failures) {
    List<Double> byRound = new ArrayList<>();
    for (Measurement above : measurements) {
      if (above.path() == path && above.contender().equals(numerator) && above.products() == 1) {
        measurements.stream()
            .filter(below -> below.path() == path && below.contender().equals(denominator))
            .filter(below -> below.products() == 1 && below.round() == above.round())
            .filter(below -> below.perSecond() > 0)
            .forEach(below -> byRound.add(above.perSecond() / below.perSecond()));
      }
    }
    String reason = null;
    if (byRound.isEmpty()) {
      reason =
          failures.getOrDefault(
              numerator, failures.getOrDefault(denominator, path.label() + " was not measured"));
    }
    return new Ratio(name, path, numerator, denominator, goal, byRound, reason);
  }

  /** Empty when there was nothing to compare. */
  public OptionalDouble median() {
    return median(byRound);
  }

  static OptionalDouble median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
            .average()
            .getAsDouble());
  }
}
