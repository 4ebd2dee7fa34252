package io.seckill.drill.run;

import io.seckill.drill.check.Breach;
import io.seckill.drill.check.Verdict;
import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import io.seckill.drill.plant.Planted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The verdict as pages: one a run, and one over all. */
final class Report {
  private static final int COLUMN_MILLIS = 100;
  private static final int LINES = 100;
  private static final String[] KINDS = {
    "reserved", "replayed or ended", "refused", "degraded", "no answer"
  };
  private static final String[] COLOURS = {"#2f8f5b", "#8fc7a6", "#b9bfc6", "#e2a33d", "#c0292b"};

  private Report() {}

  static void write(Path file, Run.Result result) throws IOException {
    String again = "bin/drill --fault " + result.fault() + " --seed " + result.seed() + " --runs 1";
    write(file, result, "Drill: " + result.fault(), again);
  }

  static void write(Path file, Run.Result result, Planted bug) throws IOException {
    String title = "Planted bug: " + bug.name() + ", drilled with " + result.fault();
    write(file, result, title, "bin/drill --runs 0 --control " + bug.name());
  }

  private static void write(Path file, Run.Result result, String title, String again)
      throws IOException {
    History history = result.history();
    Page page = new Page(title);
    boolean holds = result.verdict().holds();
    page.add("<h1>%s</h1>", title);
    page.add(
        "<p class=\"verdict %s\">%s</p>",
        holds ? "good" : "bad",
        holds
            ? "Every invariant holds."
            : result.verdict().breaches().size() + " breaches of invariants.");
    page.add(
        "<p class=\"soft\">Seed %d, strategy %s, %d operations, %.1f s. Again with"
            + " <code>%s</code></p>",
        result.seed(), result.strategy(), result.operations(), result.millis() / 1000.0, again);
    long end = end(history);
    List<Chart.Mark> marks =
        history.all(Event.Deed.class).map(deed -> new Chart.Mark(deed.at(), deed.what())).toList();
    balance(page, history, end, marks);
    answers(page, history, end, marks);
    deeds(page, history);
    invariants(page, result.verdict());
    Files.writeString(file, page.toString());
  }

  private static long end(History history) {
    return history
        .all(Event.AtRest.class)
        .mapToLong(Event::at)
        .max()
        .orElseGet(() -> history.events().stream().mapToLong(Event::at).max().orElse(1));
  }

  private static void balance(Page page, History history, long end, List<Chart.Mark> marks) {
    List<Event.Observation> seen =
        history.all(Event.Observation.class).filter(it -> it.after() != null).toList();
    double[] at = seen.stream().mapToDouble(Event.Observation::at).toArray();
    Chart chart =
        new Chart(220, end, at, true)
            .stack(series("sold", "#2f8f5b", seen, Book::sold))
            .stack(series("pending", "#e2a33d", seen, Book::pending))
            .stack(series("written off", "#8d6bb8", seen, Book::writtenOff))
            .stack(series("available", "#c9d2da", seen, Book::available))
            .line(
                new Chart.Series(
                    "C: units of orders in MySQL",
                    "#2463b5",
                    seen.stream().mapToDouble(Event.Observation::committed).toArray()))
            .marks(marks);
    page.raw("<h2>Balance over time</h2>")
        .raw(
            "<p class=\"soft\">Units, as the book in Redis counts them; dashed lines: what the drill"
                + " did, numbered as below (hover to read). Gaps: no answer from Redis or"
                + " MySQL.</p>")
        .raw(chart.svg("Units over time"))
        .raw(chart.legend());
  }

  private static Chart.Series series(
      String name, String colour, List<Event.Observation> seen, ToDoubleFunction<Book> value) {
    return new Chart.Series(
        name, colour, seen.stream().mapToDouble(it -> value.applyAsDouble(it.after())).toArray());
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

  private static void answers(Page page, History history, long end, List<Chart.Mark> marks) {
    int columns = (int) (end / COLUMN_MILLIS) + 1;
    double[][] counts = new double[KINDS.length][columns];
    Map<String, Long> totals = new TreeMap<>();
    history
        .all(Event.Attempt.class)
        .forEach(
            attempt -> {
              int column = (int) Math.min(columns - 1L, attempt.end() / COLUMN_MILLIS);
              counts[kind(attempt.answer())][column]++;
              totals.merge(label(attempt.answer()), 1L, Long::sum);
            });
    double[] at = new double[columns];
    for (int i = 0; i < columns; i++) {
      at[i] = i * (double) COLUMN_MILLIS;
    }
    Chart chart = new Chart(160, end, at, true).marks(marks);
    for (int i = 0; i < KINDS.length; i++) {
      chart.stack(new Chart.Series(KINDS[i], COLOURS[i], counts[i]));
    }
    page.raw("<h2>What clients saw</h2>")
        .raw("<p class=\"soft\">Answers to attempts to buy, each tenth of a second.</p>")
        .raw(chart.svg("Answers over time"))
        .raw(chart.legend());
    page.raw("<table class=\"narrow\"><tr><th>Answer</th><th class=\"number\">Attempts</th></tr>");
    totals.forEach(
        (label, count) ->
            page.add("<tr><td>%s</td><td class=\"number\">%d</td></tr>", label, count));
    page.raw("</table>");
  }

  private static String label(Answer answer) {
    if (answer.http() == 0) {
      return "no answer";
    }
    String detail = answer.code() != null ? answer.code() : answer.status();
    return answer.http() + (detail == null ? "" : " " + detail);
  }

  private static void deeds(Page page, History history) {
    page.raw("<h2>What was done</h2><table class=\"narrow\">");
    int number = 0;
    for (Event event : history.events()) {
      String mark = "";
      String what = null;
      if (event instanceof Event.SaleOpened sale) {
        what =
            "sale of " + sale.initial() + " units, at most " + sale.maxQuantity() + " a purchase";
      } else if (event instanceof Event.Deed deed) {
        mark = Integer.toString(++number);
        what = deed.what();
      } else if (event instanceof Event.RedisLost lost) {
        what = "Redis lost data: " + lost.how();
      } else if (event instanceof Event.Healed) {
        what = "healed";
      } else if (event instanceof Event.AtRest rest) {
        what = (rest.quiet() ? "at rest, dumped: " : "NOT at rest, dumped: ") + rest.stage();
      }
      if (what != null) {
        page.add(
            "<tr><td class=\"number soft\">%.1f s</td><td class=\"number soft\">%s</td><td>%s</td></tr>",
            event.at() / 1000.0, mark, what);
      }
    }
    page.raw("</table>");
  }

  private static void invariants(Page page, Verdict verdict) {
    page.raw("<h2>Invariants</h2><table><tr><th></th><th>Rule and terms</th>")
        .raw("<th class=\"number\">Checked</th><th>Verdict</th></tr>");
    for (Verdict.Judgement judgement : verdict.judgements()) {
      List<Breach> breaches = judgement.breaches();
      page.add(
          "<tr><td>%s</td><td><p>%s</p>",
          judgement.invariant().name(), judgement.invariant().sentence());
      judgement.terms().forEach(term -> page.add("<p class=\"soft\">%s</p>", term));
      if (!judgement.exempt().isEmpty()) {
        page.add("<details><summary>%d exempt</summary>", judgement.exempt().size());
        judgement.exempt().forEach(text -> page.add("<p class=\"soft\">%s</p>", text));
        page.raw("</details>");
      }
      for (Breach breach : breaches) {
        page.add("<p class=\"bad\">%s</p><pre>", breach.toString());
        breach.evidence().stream()
            .limit(LINES)
            .forEach(event -> page.add("%s", History.line(event)));
        page.raw("</pre>");
      }
      page.add(
          "</td><td class=\"number\">%d</td><td class=\"%s\">%s</td></tr>",
          judgement.checked(),
          breaches.isEmpty() ? "good" : "bad",
          breaches.isEmpty()
              ? judgement.checked() == 0 ? "not judged" : "holds"
              : breaches.size() + " breaches");
    }
    page.raw("</table>");
  }

  private static void tile(Page page, long count, String what) {
    page.add("<div><b>%,d</b>%s</div>", count, what);
  }

  /** The first breach of each rule, and how many more there were. */
  private static Map<String, String> kinds(Summary.Control control) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    control
        .breaches()
        .forEach(
            text ->
                all.computeIfAbsent(text.split(" ", 2)[0], kind -> new ArrayList<>()).add(text));
    Map<String, String> kinds = new LinkedHashMap<>();
    all.forEach(
        (kind, texts) ->
            kinds.put(
                kind,
                texts.get(0) + (texts.size() == 1 ? "" : ", and " + (texts.size() - 1) + " more")));
    return kinds;
  }

  static void write(Path file, Summary summary) throws IOException {
    Page page = new Page("Drills");
    page.raw("<h1>Drills</h1>");
    page.add(
        "<p class=\"verdict %s\">%s</p>",
        summary.isGood() ? "good" : "bad",
        summary.isGood() ? "Every invariant holds in every run." : "Not all is well.");
    page.raw("<div class=\"tiles\">");
    tile(page, summary.lines().size(), "runs");
    tile(page, summary.faults().size(), "faults");
    tile(page, summary.operations(), "operations");
    tile(page, summary.breaches(), "breaches");
    if (!summary.controls().isEmpty()) {
      tile(page, summary.caught(), "of " + summary.controls().size() + " planted bugs caught");
    }
    tile(page, summary.seconds(), "seconds in all");
    page.raw("</div>");
    summary.notRun().forEach(text -> page.add("<p class=\"bad\">Not run: %s</p>", text));
    summary.missed().forEach(text -> page.add("<p>Could not strike: %s</p>", text));
    Map<String, List<Summary.Line>> byFault = new TreeMap<>();
    summary
        .lines()
        .forEach(
            line -> byFault.computeIfAbsent(line.fault(), fault -> new ArrayList<>()).add(line));
    page.raw("<h2>Runs</h2><div class=\"wide\"><table><tr><th>Fault</th>")
        .raw("<th>Runs, by seed and strategy</th><th class=\"number\">Longest</th>")
        .raw("<th class=\"number\">Operations</th><th class=\"number\">Breaches</th></tr>");
    byFault.forEach(
        (fault, lines) -> {
          page.add("<tr><td class=\"first\">%s</td><td>", fault);
          lines.forEach(
              line ->
                  page.add(
                      "<a class=\"%s\" href=\"%s.html\">%d %s</a>",
                      line.breaches().isEmpty() ? "good" : "bad",
                      line.stem(),
                      line.seed(),
                      line.strategy()));
          page.add(
              "</td><td class=\"number\">%.1f s</td><td class=\"number\">%d</td><td"
                  + " class=\"number\">%d</td></tr>",
              lines.stream().mapToLong(Summary.Line::millis).max().orElse(0) / 1000.0,
              lines.stream().mapToLong(Summary.Line::operations).sum(),
              lines.stream().mapToLong(line -> line.breaches().size()).sum());
        });
    page.raw("</table></div>");
    if (!summary.controls().isEmpty()) {
      page.raw("<h2>Planted bugs</h2><table><tr><th>Bug</th><th>Caught by</th></tr>");
      for (Summary.Control control : summary.controls()) {
        page.add(
            "<tr><td class=\"bug\"><a href=\"planted-%s.html\">%s</a><p class=\"soft\">%s</p></td><td"
                + " class=\"%s\">",
            control.name(),
            control.name(),
            control.description(),
            control.caught() ? "good" : "bad");
        if (!control.caught()) {
          page.raw("<p>NOT CAUGHT</p>");
        }
        kinds(control).forEach((kind, text) -> page.add("<p>%s</p>", text));
        page.raw("</td></tr>");
      }
      page.raw("</table>");
    }
    Files.writeString(file, page.toString());
  }
}
