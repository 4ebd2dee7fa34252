package io.seckill.console;

import java.util.List;
import java.util.Map;

/**
 * The data of an {@code overview} event. Times are epoch milliseconds by the books' clock; null
 * means unknown.
 *
 * @param complete whether {@code sales} are all sales; otherwise those that changed since the event
 *     before
 */
record Overview(
    long time,
    String mode,
    String node,
    boolean complete,
    List<NodeView> nodes,
    List<SaleView> sales,
    List<Notice> attention,
    Flow flow,
    List<Happening> happened) {

  /** A node. {@code lost}: it has told nothing for five seconds. */
  record NodeView(String node, long seenAt, boolean ready, List<Check> checks, boolean lost) {}

  /** A health check of a node. */
  record Check(String name, boolean up, String detail) {}

  /**
   * A sale.
   *
   * @param state SCHEDULED, OPEN, SOLD_OUT, PAUSED or ENDED
   * @param ledger null when no book can be read
   */
  record SaleView(
      long productId,
      String name,
      String state,
      boolean settled,
      Long startsAt,
      Long endsAt,
      Integer ratePerSecond,
      Long activityId,
      int maxQuantity,
      long epoch,
      LedgerView ledger,
      PerSecond perSecond,
      List<Notice> attention) {}

  /** The units of a sale: initial + restocked = available + pending + sold + writtenOff. */
  record LedgerView(
      long initial,
      long restocked,
      long available,
      long pending,
      long sold,
      long writtenOff,
      boolean balanced) {}

  /** Answers to requests to buy a product a second, of all nodes together; refusals by code. */
  record PerSecond(double admitted, double replayed, Map<String, Double> refused) {
    static final PerSecond NONE = new PerSecond(0, 0, Map.of());
  }

  /**
   * What needs attention.
   *
   * @param section the section of docs/OPERATIONS.md that says what to do
   */
  record Notice(String code, String detail, String section) {}

  /**
   * The way of orders.
   *
   * @param lag orders that Kafka has and MySQL has not
   * @param latency from 202 to SUCCESS, of the orders of the last ten seconds; null without any
   */
  record Flow(
      Outbox outbox,
      Long lag,
      DeadLetters deadLetters,
      Latency latency,
      double relayedPerSecond,
      double writtenPerSecond) {}

  record Outbox(long length, long oldestMs) {}

  record DeadLetters(Long parked) {}

  record Latency(double p50Ms, double p99Ms) {}

  /**
   * Something that happened.
   *
   * @param productId null when it is about no product
   * @param by name of the admin token; null when nobody asked for it
   */
  record Happening(String id, long at, String kind, Long productId, String by, String detail) {}
}
