package io.seckill.domain;

import java.util.Map;
import java.util.Optional;

/**
 * What a node last saw of a book in Redis. It may be a second old: use it to tell buyers how a sale
 * stands, never to decide who gets a unit.
 *
 * @param moves the book's counter of changes
 * @param epoch raised by each adoption and each rebuild of the book
 */
public record BookSnapshot(long available, long pending, long moves, long epoch) {

  /** The book of this hash; empty when there is no book. */
  public static Optional<BookSnapshot> of(Map<String, String> hash) {
    if (hash == null || !hash.containsKey("available")) {
      return Optional.empty();
    }
    return Optional.of(
        new BookSnapshot(
            number(hash, "available"),
            number(hash, "pending"),
            number(hash, "moves"),
            number(hash, "epoch")));
  }

  private static long number(Map<String, String> hash, String field) {
    String value = hash.get(field);
    return value == null || value.isEmpty() ? 0 : Long.parseLong(value);
  }
}
