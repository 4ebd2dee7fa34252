package io.seckill.order;

import io.seckill.domain.QueuedOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Orders that are written in one transaction, each reservation once and sorted by request id:
 * writers that insert in the same order do not deadlock.
 *
 * <p>Immutable.
 */
public final class OrderBatch {
  private final Map<String, QueuedOrder> orders;
  private final int redeliveries;

  private OrderBatch(Map<String, QueuedOrder> orders, int redeliveries) {
    this.orders = orders;
    this.redeliveries = redeliveries;
  }

  /** Of the records of one reservation the batch keeps that of the newest epoch. */
  public static OrderBatch of(Collection<QueuedOrder> orders) {
    List<QueuedOrder> sorted = new ArrayList<>(orders);
    sorted.sort(Comparator.comparing(QueuedOrder::requestId));
    Map<String, QueuedOrder> unique = new LinkedHashMap<>(2 * sorted.size());
    sorted.forEach(order -> unique.merge(order.requestId(), order, OrderBatch::newer));
    return new OrderBatch(unique, 0);
  }

  private static QueuedOrder newer(QueuedOrder a, QueuedOrder b) {
    return b.order().epoch() > a.order().epoch() ? b : a;
  }

  public int size() {
    return orders.size();
  }

  public boolean isEmpty() {
    return orders.isEmpty();
  }

  /** How often this very batch was tried again because a record in it was refused. */
  public int redeliveries() {
    return redeliveries;
  }

  /** The same orders, to be tried once more. */
  public OrderBatch redelivered() {
    return new OrderBatch(orders, redeliveries + 1);
  }

  /** The two halves of a batch of at least two orders. */
  public List<OrderBatch> halves() {
    List<QueuedOrder> all = List.copyOf(orders.values());
    int middle = all.size() / 2;
    return List.of(of(all.subList(0, middle)), of(all.subList(middle, all.size())));
  }

  /** In the order of their request ids. */
  public Collection<QueuedOrder> orders() {
    return orders.values();
  }

  /** Sorted. */
  public Collection<String> requestIds() {
    return orders.keySet();
  }

  /** Each once, sorted. */
  public List<Long> productIds() {
    return products().distinct().sorted().toList();
  }

  private Stream<Long> products() {
    return orders.values().stream().map(queued -> queued.order().productId());
  }

  /** The order of this request id; null when the batch does not hold it. */
  public QueuedOrder find(String requestId) {
    return orders.get(requestId);
  }
}
