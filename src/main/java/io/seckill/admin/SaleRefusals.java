package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.sale.StoredSale;

/** The refusals that several administrative calls on a sale share. */
final class SaleRefusals {
  private SaleRefusals() {}

  static Refusal unknown(long productId) {
    return Refusal.of(404, "UNKNOWN_PRODUCT", "There is no sale of this product.")
        .with("productId", productId);
  }

  static Refusal termsFixed(long stock, long maxQuantity) {
    return Refusal.of(
            409,
            "TERMS_FIXED",
            "stock and maxQuantity are fixed once a unit was reserved; POST restock adds units.")
        .with("stock", stock)
        .with("maxQuantity", maxQuantity);
  }

  static Refusal ended(long productId) {
    return Refusal.of(409, "SALE_ENDED", "The sale has ended, which is final.")
        .with("productId", productId);
  }

  /** The book is missing: it was lost, or it left Redis after the settlement. */
  static Refusal noBook(StoredSale stored) {
    return stored.settled()
        ? Refusal.of(409, "SETTLED", "The sale is settled, and its book has left Redis.")
            .with("productId", stored.sale().productId())
        : bookLost(stored.sale().productId());
  }

  /**
   * The book lacks orders that MySQL has, or counts fewer units as sold. It tells the figures that
   * are behind.
   *
   * @param orders that have no entry in the book; 0 where only its counters are behind
   * @param units that MySQL has sold and the book does not count as sold; 0 or less for none
   */
  static Refusal bookBehind(long productId, long orders, long units) {
    return Refusal.of(
            409,
            "REBUILD_REQUIRED",
            orders > 0
                ? "MySQL has orders that the book lacks: POST rebuild makes it from MySQL."
                : "The book counts fewer units as sold than MySQL: POST rebuild makes it from"
                    + " MySQL.")
        .with("productId", productId)
        .with("orders", orders > 0 ? orders : null)
        .with("units", units > 0 ? units : null);
  }

  static Refusal bookLost(long productId) {
    return Refusal.of(
            409,
            "REBUILD_REQUIRED",
            "Redis has lost the sale's book: POST rebuild makes it again from MySQL.")
        .with("productId", productId);
  }
}
