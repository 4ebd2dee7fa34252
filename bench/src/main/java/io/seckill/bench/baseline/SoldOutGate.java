package io.seckill.bench.baseline;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.seckill.book.BookKeys;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The application's sold-out gate, written by hand. Once a product has no unit left, buyers who
 * never held one are answered without Redis. The gate asks Redis every 100 ms and opens when units
 * have come back.
 */
final class SoldOutGate {
  private static final long PROBE_MILLIS = 100;
  private static final Set<Long> LOADING = Set.of();

  private final RedisAsyncCommands<String, String> redis;
  private final Map<Long, Set<Long>> buyers = new ConcurrentHashMap<>();

  SoldOutGate(Vertx vertx, RedisAsyncCommands<String, String> redis) {
    this.redis = redis;
    vertx.setPeriodic(PROBE_MILLIS, timer -> buyers.keySet().forEach(this::probe));
  }

  /** Whether this user can be answered that nothing is left. */
  boolean isClosedFor(long productId, long userId) {
    Set<Long> holders = buyers.get(productId);
    return holders != null && holders != LOADING && !holders.contains(userId);
  }

  /** Loads the buyers and closes the gate, unless the book has changed in the meantime. */
  void soldOut(long productId, long moves) {
    if (buyers.putIfAbsent(productId, LOADING) != null) {
      return;
    }
    redis
        .hkeys(BookKeys.users(productId))
        .thenCombine(
            stock(productId),
            (fields, stock) ->
                stock.equals(List.of("0", Long.toString(moves)))
                    ? buyers.replace(productId, LOADING, users(fields))
                    : buyers.remove(productId, LOADING))
        .exceptionally(failure -> buyers.remove(productId, LOADING));
  }

  private void probe(long productId) {
    stock(productId)
        .thenAccept(
            stock -> {
              if (!"0".equals(stock.get(0))) {
                buyers.remove(productId);
              }
            });
  }

  private CompletionStage<List<String>> stock(long productId) {
    return redis
        .hmget(BookKeys.sale(productId), "available", "moves")
        .thenApply(values -> values.stream().map(value -> value.getValueOrElse("")).toList());
  }

  private static Set<Long> users(List<String> fields) {
    return fields.stream()
        .map(field -> Long.valueOf(field.split("\\|", 2)[0]))
        .collect(Collectors.toUnmodifiableSet());
  }
}
