package io.seckill.console;

import io.seckill.console.Overview.Latency;
import io.seckill.console.Overview.PerSecond;
import io.seckill.metrics.SaleCounts.Counted;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Adds up what nodes report, and tells what happened a second. Not thread-safe. */
final class Tally {
  private static final long LATENCY_WINDOW_MILLIS = 10_000;
  private static final double MILLIS = 1000;

  private record At(long millis, NodeReport report) {}

  /** The change between the last two reports of a node, a second. */
  private record Change(double relayed, double ended, Map<Long, PerSecond> sales) {
    static final Change NONE = new Change(0, 0, Map.of());
  }

  private static final class OfNode {
    private final Deque<At> reports = new ArrayDeque<>();
    private Change change = Change.NONE;
  }

  private final Map<String, OfNode> nodes = new HashMap<>();

  /** Forgets all others. */
  void retain(Set<String> present) {
    nodes.keySet().retainAll(present);
  }

  /**
   * Takes a report.
   *
   * @param millis when it was made; a report that was taken before changes nothing
   */
  void take(String node, long millis, NodeReport report) {
    OfNode of = nodes.computeIfAbsent(node, any -> new OfNode());
    At last = of.reports.peekLast();
    if (last != null && last.millis() >= millis) {
      return;
    }
    if (last != null) {
      of.change = change(last.report(), report, (millis - last.millis()) / MILLIS);
    }
    of.reports.add(new At(millis, report));
    while (millis - of.reports.peekFirst().millis() > LATENCY_WINDOW_MILLIS
        && of.reports.size() > 2) {
      of.reports.poll();
    }
  }

  /** A node that reports no more does nothing. */
  void silent(String node) {
    nodes.remove(node);
  }

  private static Change change(NodeReport before, NodeReport after, double seconds) {
    Map<Long, PerSecond> sales = new HashMap<>();
    after
        .sales()
        .forEach(
            (product, counted) -> {
              PerSecond rate = perSecond(before.sales().get(product), counted, seconds);
              if (!rate.equals(PerSecond.NONE)) {
                sales.put(product, rate);
              }
            });
    return new Change(
        rate(before.relayed(), after.relayed(), seconds),
        rate(before.ended(), after.ended(), seconds),
        sales);
  }

  private static PerSecond perSecond(Counted before, Counted after, double seconds) {
    Map<String, Double> refused = new TreeMap<>();
    after
        .refused()
        .forEach(
            (code, count) -> {
              long was = before == null ? 0 : before.refused().getOrDefault(code, 0L);
              double rate = rate(was, count, seconds);
              if (rate > 0) {
                refused.put(code, rate);
              }
            });
    return new PerSecond(
        rate(before == null ? 0 : before.admitted(), after.admitted(), seconds),
        rate(before == null ? 0 : before.replayed(), after.replayed(), seconds),
        refused);
  }

  /** To one decimal. A count that fell began anew. */
  private static double rate(long before, long after, double seconds) {
    return round((after < before ? after : after - before) / seconds);
  }

  private static double round(double value) {
    return Math.round(value * 10) / 10.0;
  }

  /** All nodes together. */
  Map<Long, PerSecond> sales() {
    Map<Long, PerSecond> sum = new HashMap<>();
    nodes
        .values()
        .forEach(
            node -> node.change.sales().forEach((id, rate) -> sum.merge(id, rate, Tally::plus)));
    return sum;
  }

  private static PerSecond plus(PerSecond one, PerSecond other) {
    Map<String, Double> refused = new TreeMap<>(one.refused());
    other.refused().forEach((code, rate) -> refused.merge(code, rate, (a, b) -> round(a + b)));
    return new PerSecond(
        round(one.admitted() + other.admitted()),
        round(one.replayed() + other.replayed()),
        refused);
  }

  double relayedPerSecond() {
    return round(nodes.values().stream().mapToDouble(node -> node.change.relayed()).sum());
  }

  double endedPerSecond() {
    return round(nodes.values().stream().mapToDouble(node -> node.change.ended()).sum());
  }

  /** Of the orders that ended within the last ten seconds; null without any. */
  Latency latency() {
    SortedMap<Double, Long> sum = new TreeMap<>();
    for (OfNode node : nodes.values()) {
      Map<Double, Long> before = node.reports.peekFirst().report().latencies();
      Map<Double, Long> after = node.reports.peekLast().report().latencies();
      long earlier = 0;
      for (Map.Entry<Double, Long> bucket : new TreeMap<>(after).entrySet()) {
        earlier = Math.max(earlier, before.getOrDefault(bucket.getKey(), earlier));
        sum.merge(bucket.getKey(), bucket.getValue() - earlier, Long::sum);
      }
    }
    if (sum.isEmpty() || sum.get(sum.lastKey()) <= 0) {
      return null;
    }
    return new Latency(percentile(sum, 0.5), percentile(sum, 0.99));
  }

  /** The upper bound of the bucket in which the percentile lies. */
  private static double percentile(SortedMap<Double, Long> cumulative, double share) {
    double wanted = cumulative.get(cumulative.lastKey()) * share;
    for (Map.Entry<Double, Long> bucket : cumulative.entrySet()) {
      if (bucket.getValue() >= wanted) {
        return round(bucket.getKey());
      }
    }
    return round(cumulative.lastKey());
  }
}
