package io.seckill.drill.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What all runs of a campaign came to. */
final class Summary {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * @param stem file name of its page and history
   */
  record Line(
      String fault,
      long seed,
      String strategy,
      long operations,
      long millis,
      List<String> breaches,
      List<String> exempt,
      String stem) {}

  /**
   * @param breaches what the checker found; empty: not caught
   */
  record Control(String name, String description, List<String> breaches, boolean caught) {}

  private final List<Line> lines = new ArrayList<>();
  private final List<Control> controls = new ArrayList<>();
  private final List<String> notRun = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();
  private final long began = System.nanoTime();

  synchronized void add(Run.Result result, String stem) {
    lines.add(
        new Line(
            result.fault(),
            result.seed(),
            result.strategy(),
            result.operations(),
            result.millis(),
            result.verdict().breaches().stream().map(Object::toString).toList(),
            result.verdict().judgements().stream()
                .flatMap(judgement -> judgement.exempt().stream())
                .toList(),
            stem));
    result
        .missed()
        .forEach(what -> missed.add(result.fault() + " with seed " + result.seed() + ": " + what));
  }

  synchronized void add(Control control) {
    controls.add(control);
  }

  synchronized void notRun(String fault, long seed, String why) {
    notRun.add(fault + " with seed " + seed + ": " + why);
  }

  List<Line> lines() {
    return lines;
  }

  List<Control> controls() {
    return controls;
  }

  List<String> notRun() {
    return notRun;
  }

  /** Runs whose fault could not strike as it says. */
  List<String> missed() {
    return missed;
  }

  boolean isGood() {
    return notRun.isEmpty()
        && lines.stream().allMatch(line -> line.breaches().isEmpty())
        && controls.stream().allMatch(Control::caught);
  }

  long operations() {
    return lines.stream().mapToLong(Line::operations).sum();
  }

  long breaches() {
    return lines.stream().mapToLong(line -> line.breaches().size()).sum();
  }

  long caught() {
    return controls.stream().filter(Control::caught).count();
  }

  /** Runs by fault. */
  Map<String, Long> faults() {
    Map<String, Long> faults = new TreeMap<>();
    lines.forEach(line -> faults.merge(line.fault(), 1L, Long::sum));
    return faults;
  }

  long seconds() {
    return (System.nanoTime() - began) / 1_000_000_000;
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("runs", lines.size());
    all.put("operations", operations());
    all.put("faults", faults());
    all.put(
        "breaches",
        lines.stream()
            .filter(line -> !line.breaches().isEmpty())
            .map(
                line ->
                    Map.of("fault", line.fault(), "seed", line.seed(), "breaches", line.breaches()))
            .toList());
    all.put("notRun", notRun);
    all.put("missed", missed);
    all.put("controls", Map.of("planted", controls.size(), "caught", caught()));
    all.put("seconds", seconds());
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%d runs over %d faults, %d operations, %d breaches, %d s",
            lines.size(), faults().size(), operations(), breaches(), seconds()));
    if (!controls.isEmpty()) {
      text.append(String.format("; %d of %d planted bugs caught", caught(), controls.size()));
    }
    if (!missed.isEmpty()) {
      text.append("; faults that could not strike: ").append(missed.size());
    }
    if (!notRun.isEmpty()) {
      text.append("; not run: ").append(notRun);
    }
    return text.toString();
  }
}
