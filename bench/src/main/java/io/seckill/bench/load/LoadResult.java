package io.seckill.bench.load;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The result of a load generator.
 *
 * @param generator its name, for the report
 * @param seconds length of the measured window
 * @param answered answers within the window
 * @param byStatus answers by HTTP status, including those after the window's end; empty when the
 *     generator does not count by status
 * @param failed connections that broke or answers that never came
 * @param unanswered requests whose answer the generator did not wait for; each may have been
 *     accepted
 * @param latency in microseconds, from the moment the request was due (open model) or sent
 * @param untilTerminal in microseconds, from a 202 to the first result that is not PENDING; empty
 *     when nothing was tracked
 * @param untracked purchases that did not end within the time limit
 */
public record LoadResult(
    String generator,
    double seconds,
    long answered,
    Map<Integer, Long> byStatus,
    long failed,
    long unanswered,
    Histogram latency,
    Histogram untilTerminal,
    long untracked) {

  public LoadResult {
    byStatus = Map.copyOf(byStatus);
  }

  /**
   * The result of purchases whose buyers waited in the request: the answer is the end, so its
   * latency is the time until the end, and a 202 is a purchase that had not ended in time.
   */
  public LoadResult answeredWithTheEnd() {
    return new LoadResult(
        generator, seconds, answered, byStatus, failed, unanswered, latency, latency, count(202));
  }

  public double perSecond() {
    return answered / seconds;
  }

  public long count(int status) {
    return byStatus.getOrDefault(status, 0L);
  }

  /** Answers with a status of 500 or more. */
  public long serverErrors() {
    return byStatus.entrySet().stream()
        .filter(entry -> entry.getKey() >= 500)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Statuses in order, for messages. */
  public Map<Integer, Long> sortedStatuses() {
    return new TreeMap<>(byStatus);
  }
}
