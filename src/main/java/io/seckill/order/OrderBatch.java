package io.seckill.order;

import io.seckill.domain.QueuedOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Orders for one transaction, each reservation once and sorted by request id: writers that insert
 * in the same order do not deadlock.
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

  /** Makes a batch. Among several records of a reservation it keeps the one of the latest epoch. */
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

  /** How many times exactly this batch was retried because MySQL refused a record in it. */
  public int redeliveries() {
    return redeliveries;
  }

  /** The same orders for one more try. */
  public OrderBatch redelivered() {
    return new OrderBatch(orders, redeliveries + 1);
  }

  /** The two halves of a batch of at least two orders. */
  public List<OrderBatch> halves() {
    List<QueuedOrder> all = List.copyOf(orders.values());
    int middle = all.size() / 2;
    return List.of(of(all.subList(0, middle)), of(all.subList(middle, all.size())));
  }

  /** The same reservations, each as the function makes it. */
  OrderBatch with(UnaryOperator<QueuedOrder> function) {
    Map<String, QueuedOrder> changed = new LinkedHashMap<>(2 * orders.size());
    orders.forEach((requestId, order) -> changed.put(requestId, function.apply(order)));
    return new OrderBatch(changed, redeliveries);
  }

  /** The orders, sorted by request id. */
  public Collection<QueuedOrder> orders() {
    return orders.values();
  }

  /** The request ids, sorted. */
  public Collection<String> requestIds() {
    return orders.keySet();
  }

  /**
   * The request ids of the first and the last order; one if there is only one. Not for no order.
   */
  public List<String> ends() {
    List<String> all = List.copyOf(orders.keySet());
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  /** The product ids, each once, sorted. */
  public List<Long> productIds() {
    return products().distinct().sorted().toList();
  }

  private Stream<Long> products() {
    return orders.values().stream().map(queued -> queued.order().productId());
  }

  /** The order of this request id; null when it is not in the batch. */
  public QueuedOrder find(String requestId) {
    return orders.get(requestId);
  }
}
