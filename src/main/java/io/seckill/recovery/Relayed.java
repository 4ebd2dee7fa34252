package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.domain.OrderRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The highest outbox ids of the records that Kafka holds and the writers have not committed.
 * Belongs to one thread while it is filled.
 */
public final class Relayed {
  /** From product to epoch to outbox id. */
  private final Map<Long, NavigableMap<Long, String>> highest = new HashMap<>();

  void add(OrderRecord order) {
    highest
        .computeIfAbsent(order.productId(), product -> new TreeMap<>())
        .merge(order.epoch(), order.outboxId(), Relayed::higher);
  }

  /** The highest of a product, of this epoch or a later one; empty where there is none. */
  String highest(long productId, long epoch) {
    NavigableMap<Long, String> ofProduct = highest.get(productId);
    return ofProduct == null
        ? ""
        : ofProduct.tailMap(epoch, true).values().stream().reduce("", Relayed::higher);
  }

  private static String higher(String one, String other) {
    return Book.compareOutboxIds(one, other) < 0 ? other : one;
  }
}
