package io.seckill.drill.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.tools.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The results of all runs of a campaign. */
public final class Summary {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * @param stem file name of its page and history
   */
  public record Line(
      String fault,
      long seed,
      String strategy,
      long operations,
      long millis,
      List<String> breaches,
      List<String> exempt,
      String stem) {}

  /**
   * @param breaches breaches that the checker found; empty when it missed the bug
   */
  public record Control(String name, String description, List<String> breaches, boolean caught) {
    /** The first breach of each rule, and how many more there were. */
    public List<String> kinds() {
      Map<String, List<String>> kinds = new LinkedHashMap<>();
      breaches.forEach(
          text ->
              kinds.computeIfAbsent(text.split(" ", 2)[0], kind -> new ArrayList<>()).add(text));
      return kinds.values().stream()
          .map(all -> all.get(0) + (all.size() == 1 ? "" : ", and " + (all.size() - 1) + " more"))
          .toList();
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private final List<Control> controls = new ArrayList<>();
  private final List<String> notRun = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();
  private final long began = System.nanoTime();

  public synchronized void add(Result result, String stem) {
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

  public synchronized void add(Control control) {
    controls.add(control);
  }

  public synchronized void notRun(String fault, long seed, String why) {
    notRun.add(fault + " with seed " + seed + ": " + why);
  }

  public List<Line> lines() {
    return lines;
  }

  public List<Control> controls() {
    return controls;
  }

  public List<String> notRun() {
    return notRun;
  }

  /** Runs whose fault could not strike as described. */
  public List<String> missed() {
    return missed;
  }

  public boolean isGood() {
    return notRun.isEmpty()
        && lines.stream().allMatch(line -> line.breaches().isEmpty())
        && controls.stream().allMatch(Control::caught);
  }

  public long operations() {
    return lines.stream().mapToLong(Line::operations).sum();
  }

  public long breaches() {
    return lines.stream().mapToLong(line -> line.breaches().size()).sum();
  }

  public long caught() {
    return controls.stream().filter(Control::caught).count();
  }

  /** Runs by fault. */
  public Map<String, Long> faults() {
    Map<String, Long> faults = new TreeMap<>();
    lines.forEach(line -> faults.merge(line.fault(), 1L, Long::sum));
    return faults;
  }

  /** The runs of each fault. */
  public Map<String, List<Line>> byFault() {
    Map<String, List<Line>> byFault = new TreeMap<>();
    lines.forEach(line -> byFault.computeIfAbsent(line.fault(), f -> new ArrayList<>()).add(line));
    return byFault;
  }

  public long seconds() {
    return (System.nanoTime() - began) / 1_000_000_000;
  }

  /** Writes the page over all runs, with links to their pages. */
  public void write(Path file) throws IOException {
    Files.writeString(
        file, Page.render("/io/seckill/drill/report/summary.ftlh", Map.of("summary", this)));
  }

  public String json() {
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

  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d runs over %d faults, %d operations, %d breaches, %d s",
            lines.size(),
            faults().size(),
            operations(),
            breaches(),
            seconds()));
    if (!controls.isEmpty()) {
      text.append(
          String.format(Locale.ROOT, "; %d of %d planted bugs caught", caught(), controls.size()));
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
