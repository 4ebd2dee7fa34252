package io.seckill.sale;

/**
 * A row of {@code sql/sale-find.sql} or {@code sql/sale-lock.sql}: a sale and what administration
 * must know of it.
 *
 * @param count units that MySQL still holds
 * @param settled whether the sale's settlement was written
 * @param hasOrders whether a reservation reached MySQL
 * @param rebuildSince when a rebuild began that has not ended, in epoch milliseconds; null: none
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
