package io.seckill.minimal;

import io.seckill.answer.Refusal;
import io.seckill.book.Book;
import io.seckill.sale.Phase;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRow;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/**
 * What stands for the books of Redis in minimal mode: MySQL's stock and orders, and the orders that
 * wait on this node.
 */
public final class MinimalBooks {
  private static final int RETRY_SECONDS = 1;

  private final OrderQueue queue;
  private final Clock clock;

  public MinimalBooks(OrderQueue queue, Clock clock) {
    this.queue = queue;
    this.clock = clock;
  }

  /**
   * A sale's book. Of the units MySQL still holds those count as pending that the orders waiting on
   * this node can get at most; its outbox is these orders.
   *
   * @param row of stock-book.sql, null where there is no such sale
   * @throws Refusal 409 SALE_OF_FULL_MODE
   */
  public Optional<Book> book(Map<String, Object> row) {
    if (row == null) {
      return Optional.empty();
    }
    Sale sale = SaleRow.of(row).sale();
    if (sale.preheated()) {
      throw Refusal.of(
              409,
              "SALE_OF_FULL_MODE",
              "The sale was begun in full mode: its book is in Redis, which minimal mode has not.")
          .with("productId", sale.productId());
    }
    long count = number(row, "count");
    long pending = Math.min(count, queue.units(sale.productId()));
    return Optional.of(
        new Book(
            sale.stock(),
            sale.restocked(),
            count - pending,
            pending,
            number(row, "sold"),
            0,
            0,
            sale.maxQuantity(),
            sale.startsAt(),
            sale.endsAt(),
            sale.state().name(),
            sale.epoch(),
            0,
            queue.orders(sale.productId()),
            "",
            "",
            clock.millis(),
            number(row, "orders"),
            false));
  }

  /**
   * Whether a change has created the sale, and with it its book.
   *
   * @param before the book before the change; null where the change needed none
   * @return CREATED or EXISTS, as preheating a book in Redis ends
   */
  public String preheated(Optional<Book> before) {
    return before != null && before.isEmpty() ? "CREATED" : "EXISTS";
  }

  /**
   * Makes sure that nothing is sold any more and nothing waits on this node.
   *
   * @throws Refusal 409 NOT_ENDED or SETTLEMENT_PENDING
   */
  public void requireAtRest(Map<String, Object> row) {
    Sale sale = SaleRow.of(row).sale();
    long productId = sale.productId();
    if (Phase.of(sale, null, clock.millis()) != Phase.ENDED) {
      throw Refusal.of(409, "NOT_ENDED", "The sale is still on: POST end ends it.")
          .with("productId", productId)
          .with("endsAt", sale.endsAt());
    }
    if (queue.orders(productId) > 0) {
      throw Refusal.of(409, "SETTLEMENT_PENDING", "Orders of the sale still wait to be written.")
          .with("productId", productId)
          .with("pending", queue.units(productId))
          .with("outbox", queue.orders(productId))
          .retryAfter(RETRY_SECONDS);
    }
  }

  /**
   * Refuses a rebuild.
   *
   * @throws Refusal 409 NO_BOOK, always
   */
  public void refuseRebuild() {
    throw Refusal.of(
        409, "NO_BOOK", "Minimal mode keeps no book in Redis: there is nothing to rebuild.");
  }

  private static long number(Map<String, Object> row, String column) {
    return ((Number) row.get(column)).longValue();
  }
}
