package io.seckill.sale;

/**
 * A row of {@code sql/sale-find.sql} or {@code sql/sale-lock.sql}: a sale with the columns that
 * administration needs.
 *
 * @param count units that MySQL still has
 * @param settled whether the sale is settled
 * @param hasOrders whether a reservation reached MySQL
 * @param rebuildSince begin of an unfinished rebuild, in epoch milliseconds; null for none
 */
public record StoredSale(
    Sale sale, long count, boolean settled, boolean hasOrders, Long rebuildSince) {

  /** The epoch of the sale. */
  public long epoch() {
    return sale.epoch();
  }

  /** Units added to the sale in all. */
  public long restocked() {
    return sale.restocked();
  }

  /** Whether the sale had a book, so that a missing one is a loss. */
  public boolean hadBook() {
    return sale.preheated() || hasOrders;
  }
}
