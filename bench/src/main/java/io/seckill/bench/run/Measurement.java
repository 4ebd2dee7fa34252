package io.seckill.bench.run;

import java.util.List;
import java.util.Map;

/**
 * One run of one contender.
 *
 * @param path the kind of requests, see {@link Path}
 * @param round counted from 1
 * @param generator the load generator
 * @param perSecond answers a second; end to end: orders a second from the first purchase until the
 *     last one is in MySQL and confirmed
 * @param figures further numbers, by name with unit
 * @param statuses answers by HTTP status; empty when the generator does not tell
 * @param latency percentiles in milliseconds; empty when not measured
 * @param untilTerminal percentiles in milliseconds from the 202 to the end of the purchase
 * @param backlog units reserved and not yet confirmed, over time
 * @param breaches of the invariants, and other reasons to reject the run
 */
public record Measurement(
    Path path,
    String contender,
    int products,
    int round,
    String generator,
    double perSecond,
    Map<String, Double> figures,
    Map<Integer, Long> statuses,
    Map<String, Double> latency,
    Map<String, Double> untilTerminal,
    List<Sample> backlog,
    List<String> breaches) {

  /** The kinds of requests to a contender. */
  public enum Path {
    ACCEPTED("accepted", "purchases that are answered 202"),
    SOLD_OUT("sold-out", "purchases of what is sold out"),
    DUPLICATE("duplicate", "purchases by buyers who hold one already"),
    RESULT("result", "questions for a result"),
    END_TO_END("end-to-end", "orders accepted and persisted"),
    OPEN("accepted-open", "purchases at half the contender's ceiling"),
    OPEN_END_TO_END("end-to-end-open", "orders at half the contender's ceiling"),
    WAITING("waiting", "orders at half the contender's ceiling whose buyers wait for the end"),
    UNASKED("unasked", "orders at half the contender's ceiling that nobody asks for"),
    AT_RATE("at-rate", "orders at the rate of --rate"),
    SCRIPT("script", "calls of reserve.lua alone");

    private final String label;
    private final String meaning;

    Path(String label, String meaning) {
      this.label = label;
      this.meaning = meaning;
    }

    public String label() {
      return label;
    }

    public String meaning() {
      return meaning;
    }
  }

  /**
   * @param seconds since the run began
   */
  public record Sample(double seconds, long accepted, long persisted) {}
}
