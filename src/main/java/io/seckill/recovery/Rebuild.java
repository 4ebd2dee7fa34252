package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.sale.Sale;
import java.util.Optional;

/** The state of one rebuild or preview. Only the thread that runs its routes uses it. */
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

  /** The book to replace; empty when there is none. */
  Optional<Book> before() {
    return before;
  }

  /** Whether there is a book to compare MySQL's rows with. */
  public boolean isBookPresent() {
    return before.isPresent();
  }

  /** The epoch of the present book; 0 when there is none. */
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

  /** Takes the terms of the opened book, and its units left. */
  void opened(Sale sale, long unitsLeft) {
    terms = sale;
    available = unitsLeft;
  }

  /** The sale with whose terms the new book was opened. */
  Sale terms() {
    return terms;
  }

  /** Units left in the book that was opened. */
  long available() {
    return available;
  }
}
