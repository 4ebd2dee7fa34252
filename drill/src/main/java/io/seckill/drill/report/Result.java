package io.seckill.drill.report;

import io.seckill.drill.check.Verdict;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.util.List;

/**
 * What one run came to.
 *
 * @param verdict of the checker
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
  /** What clients asked for. */
  public long operations() {
    return history.events().stream()
        .filter(event -> event instanceof Event.Attempt || event instanceof Event.Look)
        .count();
  }
}
