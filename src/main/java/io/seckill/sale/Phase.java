package io.seckill.sale;

import io.seckill.domain.BookSnapshot;

/** How a sale stands for a buyer. */
public enum Phase {
  SCHEDULED,
  ON_SALE,
  SOLD_OUT,
  PAUSED,
  ENDED;

  /**
   * Judges in the order {@code reserve.lua} does. The book's window is judged by Redis's clock;
   * {@link SaleClock} tells the same time to within the reply's way.
   *
   * @param book null when none was seen
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
