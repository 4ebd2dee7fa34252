package io.seckill.sale;

import io.seckill.domain.BookSnapshot;

/** The state of a sale as buyers see it. */
public enum Phase {
  SCHEDULED,
  ON_SALE,
  SOLD_OUT,
  PAUSED,
  ENDED;

  /**
   * Judges in the same order as {@code reserve.lua}, which uses Redis's clock. {@link SaleClock}
   * follows that clock to within the time of a reply.
   *
   * @param book null when the node has not seen the book
   * @param now epoch milliseconds
   */
  public static Phase of(Sale sale, BookSnapshot book, long now) {
    if (sale.state() == Sale.State.ENDED || sale.endsAt() != null && now >= sale.endsAt()) {
      return ENDED;
    }
    if (sale.state() == Sale.State.PAUSED) {
      return PAUSED;
    }
    if (sale.startsAt() != null && now < sale.startsAt()) {
      return SCHEDULED;
    }
    return book != null && book.available() == 0 ? SOLD_OUT : ON_SALE;
  }
}
