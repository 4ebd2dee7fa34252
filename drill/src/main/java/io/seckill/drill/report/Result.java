package io.seckill.drill.report;

import io.seckill.drill.check.Verdict;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.util.List;

/**
 * The result of one run.
 *
 * @param verdict the checker's verdict
 * @param missed how the fault failed to strike as described
 */
public record Result(
    String fault,
    long seed,
    String strategy,
    History history,
    Verdict verdict,
    List<String> missed,
    long millis) {
  /** Number of requests by clients. */
  public long operations() {
    return history.events().stream()
        .filter(event -> event instanceof Event.Attempt || event instanceof Event.Look)
        .count();
  }
}
