package io.seckill.console;

import io.seckill.console.Overview.Check;
import io.seckill.metrics.SaleCounts.Counted;
import java.util.List;
import java.util.Map;

/**
 * What a node tells the others each second while somebody watches. All counts go on from one report
 * to the next, so that one that is missed loses nothing.
 *
 * @param ready whether the node takes orders
 * @param relayed outbox entries that Kafka acknowledged
 * @param ended reservations that ended
 * @param latencies for each upper bound in ms the number of orders that took no longer
 * @param sales counts by product
 */
record NodeReport(
    boolean ready,
    List<Check> checks,
    long relayed,
    long ended,
    Map<Double, Long> latencies,
    Map<Long, Counted> sales) {}
