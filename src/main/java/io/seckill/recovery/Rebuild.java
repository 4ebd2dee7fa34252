package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.sale.Sale;
import java.util.Optional;

/**
 * One rebuild, or one preview of a rebuild, as it goes. Belongs to the one thread that runs its
 * routes.
 */
public final class Rebuild {
  private final long productId;
  private final long begunNanos = System.nanoTime();
  private final Comparison comparison = new Comparison();
  private Optional<Book> before = Optional.empty();
  private OrderSnapshot snapshot;
  private Sale terms;
  private long available;

  Rebuild(long productId) {
    this.productId = productId;
  }

  long productId() {
    return productId;
  }

  long tookMillis() {
    return (System.nanoTime() - begunNanos) / 1_000_000;
  }

  Comparison comparison() {
    return comparison;
  }

  void before(Optional<Book> book) {
    before = book;
  }

  /** The book that is to be replaced, if there is one. */
  Optional<Book> before() {
    return before;
  }

  /** Whether there is a book to compare MySQL's rows with. */
  public boolean isBookPresent() {
    return before.isPresent();
  }

  /** The epoch of the book that is there, 0 where there is none. */
  public long getBookEpoch() {
    return before.map(Book::epoch).orElse(0L);
  }

  void snapshot(OrderSnapshot taken) {
    snapshot = taken;
  }

  OrderSnapshot snapshot() {
    return snapshot;
  }

  public long getEpoch() {
    return snapshot.getEpoch();
  }

  /** Takes the terms the new book was opened with, and the units left in it. */
  void opened(Sale sale, long unitsLeft) {
    terms = sale;
    available = unitsLeft;
  }

  /** The sale as the new book was opened with it. */
  Sale terms() {
    return terms;
  }

  /** Units left in the book that was opened. */
  long available() {
    return available;
  }
}
