package io.seckill.minimal;

import io.seckill.answer.Refusal;
import io.seckill.book.Book;
import io.seckill.sale.Phase;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.time.Clock;
import java.util.Optional;

/**
 * Replaces the books of Redis in minimal mode, with MySQL's stock and orders and the orders that
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
   * A sale's book. Its pending units are those that the orders waiting on this node can get at
   * most. Its outbox is these orders.
   *
   * @param stock null for an unknown sale; one without a name is a row that the call itself has
   *     just made, and has no book
   * @throws Refusal 409 SALE_OF_FULL_MODE
   */
  public Optional<Book> book(StockBook stock) {
    if (stock == null || stock.sale().name().isEmpty()) {
      return Optional.empty();
    }
    Sale sale = stock.sale();
    if (sale.preheated()) {
      throw Refusal.of(
              409,
              "SALE_OF_FULL_MODE",
              "The sale was begun in full mode: its book is in Redis, which minimal mode does not use.")
          .with("productId", sale.productId());
    }
    long count = stock.count();
    long pending = Math.min(count, queue.units(sale.productId()));
    return Optional.of(
        new Book(
            sale.stock(),
            sale.restocked(),
            count - pending,
            pending,
            stock.sold(),
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
            stock.orders(),
            false,
            "",
            0));
  }

  /**
   * Whether a change has created the sale and so its book.
   *
   * @param before the book before the change; null when the change needed none
   * @return CREATED or EXISTS, the outcomes of preheat.lua
   */
  public String preheated(Optional<Book> before) {
    return before != null && before.isEmpty() ? "CREATED" : "EXISTS";
  }

  /**
   * Checks that the sale is over and no order waits on this node.
   *
   * @throws Refusal 409 NOT_ENDED or SETTLEMENT_PENDING
   */
  public void requireAtRest(StoredSale stored) {
    Sale sale = stored.sale();
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
   * @throws Refusal always, 409 NO_BOOK
   */
  public void refuseRebuild() {
    throw Refusal.of(
        409, "NO_BOOK", "Minimal mode keeps no book in Redis: there is nothing to rebuild.");
  }
}
