package io.seckill.drill.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.drill.check.Checker;
import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
  private static final long PRODUCT = 100;

  @TempDir private Path folder;

  @Test
  void shouldShowARunOnAPageThatLoadsNothing() throws Exception {
    String page = page(book(2, 1));

    assertThat(page)
        .contains("Every invariant holds.", "bin/drill --fault redis-kill --seed 1042 --runs 1")
        .contains("kill &lt;Redis&gt;", "202 PENDING", "Seed 1042, strategy A, 1 operations, 1.5 s")
        .contains("\"name\":\"sold\"", "\"marks\":[0.15]")
        .doesNotContain("src=", "href=", "url(", "@import");
  }

  @Test
  void shouldShowABreachWithItsEvidence() throws Exception {
    assertThat(page(book(3, 1)))
        .contains("breaches of invariants.", "I1/", "&quot;type&quot;:&quot;observation&quot;");
  }

  @Test
  void shouldSumUpAllRuns() throws Exception {
    Summary summary = new Summary();
    summary.add(result(book(2, 1)), "redis-kill-1042");
    summary.add(
        new Summary.Control("no-key", "No key.", List.of("I4/a x", "I4/a x", "I10/b y"), true));
    Path file = folder.resolve("index.html");

    summary.write(file);

    assertThat(Files.readString(file))
        .contains("Every invariant holds in every run.", "href=\"redis-kill-1042.html\">1042 A<")
        .contains("of 1 planted bugs caught", "I4/a x, and 1 more", "I10/b y");
  }

  private String page(Book book) throws Exception {
    Path file = folder.resolve("run.html");
    RunReport.of(result(book)).write(file);
    return Files.readString(file);
  }

  private static Result result(Book book) {
    History history =
        new History(
            List.of(
                new Event.Begin(0, 1042, "redis-kill", "full", "A", 10_000),
                new Event.SaleOpened(0, PRODUCT, 3, 1),
                new Event.Attempt(90, 100, 0, PRODUCT, 1, "k", 1, Answer.accepted("100-1-0")),
                new Event.Deed(150, "redis-kill", "kill <Redis>"),
                new Event.Observation(250, PRODUCT, book, 0, book),
                new Event.Healed(400)));
    return new Result("redis-kill", 1042, "A", history, Checker.check(history), List.of(), 1_500);
  }

  private static Book book(long available, long pending) {
    return new Book(3, 0, available, pending, 0, 0, 0, 1);
  }
}
