package io.seckill.drill.report;

import io.seckill.drill.check.Breach;
import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import io.seckill.tools.Chart;
import io.seckill.tools.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The page of one run.
 *
 * @param again the command that repeats it
 */
public record RunReport(Result result, String title, String again) {
  private static final int COLUMN_MILLIS = 100;
  private static final int LINES = 100;
  private static final List<String> KINDS =
      List.of("reserved", "replayed or ended", "refused", "degraded", "no answer");
  private static final List<String> COLOURS =
      List.of("#2f8f5b", "#8fc7a6", "#b9bfc6", "#e2a33d", "#c0292b");

  public static RunReport of(Result result) {
    return new RunReport(
        result,
        "Drill: " + result.fault(),
        "bin/drill --fault " + result.fault() + " --seed " + result.seed() + " --runs 1");
  }

  /** Makes the report of a run with a planted bug. */
  public static RunReport ofBug(Result result, String bug) {
    return new RunReport(
        result,
        "Planted bug: " + bug + ", drilled with " + result.fault(),
        "bin/drill --runs 0 --control " + bug);
  }

  public void write(Path file) throws IOException {
    Files.writeString(
        file, Page.render("/io/seckill/drill/report/run.ftlh", Map.of("report", this)));
  }

  /** Units as Redis and MySQL count them, over time. */
  public Chart balance() {
    List<Event.Observation> seen =
        history().all(Event.Observation.class).filter(it -> it.after() != null).toList();
    return chart(
        "Units over time",
        seen.stream().map(Event.Observation::at).toList(),
        List.of(
            units("sold", "#2f8f5b", seen, Book::sold),
            units("pending", "#e2a33d", seen, Book::pending),
            units("written off", "#8d6bb8", seen, Book::writtenOff),
            units("available", "#c9d2da", seen, Book::available),
            new Chart.Series(
                "C: units of orders in MySQL",
                "#2463b5",
                false,
                seen.stream().map(it -> (double) it.committed()).toList())));
  }

  private static Chart.Series units(
      String name, String colour, List<Event.Observation> seen, ToDoubleFunction<Book> value) {
    return new Chart.Series(
        name, colour, true, seen.stream().map(it -> value.applyAsDouble(it.after())).toList());
  }

  /** Answers to attempts to buy, each tenth of a second. */
  public Chart answers() {
    long end =
        history()
            .all(Event.AtRest.class)
            .mapToLong(Event::at)
            .max()
            .orElseGet(() -> history().events().stream().mapToLong(Event::at).max().orElse(1));
    long begin = history().all(Event.SaleOpened.class).mapToLong(Event::at).min().orElse(0);
    int columns = (int) ((end - begin) / COLUMN_MILLIS) + 1;
    double[][] counts = new double[KINDS.size()][columns];
    history()
        .all(Event.Attempt.class)
        .forEach(
            attempt -> {
              long column = Math.min(columns - 1L, (attempt.end() - begin) / COLUMN_MILLIS);
              counts[kind(attempt.answer())][(int) column]++;
            });
    List<Chart.Series> series = new ArrayList<>();
    for (int i = 0; i < KINDS.size(); i++) {
      List<Double> values = Arrays.stream(counts[i]).boxed().toList();
      series.add(new Chart.Series(KINDS.get(i), COLOURS.get(i), true, values));
    }
    return chart(
        "Answers to attempts to buy, each tenth of a second",
        IntStream.range(0, columns).mapToObj(i -> begin + (long) i * COLUMN_MILLIS).toList(),
        series);
  }

  private Chart chart(String title, List<Long> millis, List<Chart.Series> series) {
    return new Chart(
        title,
        millis.stream().map(at -> at / 1000.0).toList(),
        List.of(),
        "",
        false,
        true,
        series,
        history().all(Event.Deed.class).map(deed -> deed.at() / 1000.0).toList());
  }

  private static int kind(Answer answer) {
    if (answer.http() == 0) {
      return 4;
    }
    if (answer.http() >= 500) {
      return 3;
    }
    if (answer.http() == 202) {
      return 0;
    }
    return answer.http() == 200 ? 1 : 2;
  }

  /** Number of attempts to buy, by answer. */
  public Map<String, Long> totals() {
    Map<String, Long> totals = new TreeMap<>();
    history()
        .all(Event.Attempt.class)
        .forEach(attempt -> totals.merge(label(attempt.answer()), 1L, Long::sum));
    return totals;
  }

  private static String label(Answer answer) {
    if (answer.http() == 0) {
      return "no answer";
    }
    String detail = answer.code() != null ? answer.code() : answer.status();
    return answer.http() + (detail == null ? "" : " " + detail);
  }

  /**
   * A step of the drill.
   *
   * @param mark its number in the charts; empty when they do not show it
   */
  public record Deed(double seconds, String mark, String what) {}

  /** In the order of time. */
  public List<Deed> deeds() {
    List<Deed> deeds = new ArrayList<>();
    int number = 0;
    for (Event event : history().events()) {
      String mark = event instanceof Event.Deed ? Integer.toString(++number) : "";
      String what = what(event);
      if (!what.isEmpty()) {
        deeds.add(new Deed(event.at() / 1000.0, mark, what));
      }
    }
    return deeds;
  }

  private static String what(Event event) {
    if (event instanceof Event.SaleOpened sale) {
      return "sale of " + sale.initial() + " units, at most " + sale.maxQuantity() + " a purchase";
    }
    if (event instanceof Event.Deed deed) {
      return deed.what();
    }
    if (event instanceof Event.RedisLost lost) {
      return "Redis lost data: " + lost.how();
    }
    if (event instanceof Event.Healed) {
      return "healed";
    }
    if (event instanceof Event.AtRest rest) {
      return (rest.quiet() ? "at rest, dumped: " : "NOT at rest, dumped: ") + rest.stage();
    }
    return "";
  }

  /** The first lines of the history that show a breach. */
  public List<String> evidence(Breach breach) {
    return breach.evidence().stream().limit(LINES).map(History::line).toList();
  }

  private History history() {
    return result.history();
  }
}
