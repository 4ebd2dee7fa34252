package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.Optional;

/** The state of one rebuild or preview. Only the thread that runs its routes uses it. */
public final class Rebuild {
  private final long productId;
  private final boolean mysqlHoldsStock;
  private final long begunNanos = System.nanoTime();
  private final Comparison comparison = new Comparison();
  private Optional<Book> before = Optional.empty();
  private OrderSnapshot snapshot;
  private Sale terms;
  private Remainder remainder;

  /**
   * @param mysqlHoldsStock whether products.count tells which units are left (strategy B)
   */
  Rebuild(long productId, boolean mysqlHoldsStock) {
    this.productId = productId;
    this.mysqlHoldsStock = mysqlHoldsStock;
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

  /**
   * The units that are not sold.
   *
   * @param stored the sale, locked where the book is to open with them
   */
  Remainder remainder(StoredSale stored) {
    return mysqlHoldsStock
        ? Remainder.ofStock(stored.sale(), snapshot.units(), stored.count())
        : Remainder.ofOrders(stored.sale(), snapshot.units());
  }

  public long getEpoch() {
    return snapshot.getEpoch();
  }

  /** Takes the sale as the new book was opened with it, and the units that were not sold. */
  void opened(Sale sale, Remainder left) {
    terms = sale;
    remainder = left;
  }

  /** The sale as the new book was opened with it. */
  Sale terms() {
    return terms;
  }

  /** The units the book was opened with. */
  Remainder remainder() {
    return remainder;
  }
}
