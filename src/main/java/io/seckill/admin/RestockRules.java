package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;

/** Decides how many units a restock adds. */
public final class RestockRules {

  /**
   * Decides a restock.
   *
   * @param stored the locked sale; null for an unknown one
   * @param earlier units that an earlier restock with this key added; null when there was none
   * @return the units to add in MySQL; 0 when this key added them before
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SALE_ENDED, 422 KEY_REUSED, 400 INVALID_REQUEST
   */
  public long restock(long productId, StoredSale stored, Number earlier, long units) {
    if (stored == null) {
      throw SaleRefusals.unknown(productId);
    }
    if (earlier != null) {
      if (earlier.longValue() != units) {
        throw Refusal.of(422, "KEY_REUSED", "This key was used for another number of units.")
            .with("units", earlier.longValue());
      }
      return 0;
    }
    Sale sale = stored.sale();
    if (sale.state() == Sale.State.ENDED) {
      throw SaleRefusals.ended(productId);
    }
    if (sale.stock() + sale.restocked() + units > SaleTerms.MAX_STOCK) {
      throw Refusal.of(
          400, "INVALID_REQUEST", "A sale may have at most " + SaleTerms.MAX_STOCK + " units.");
    }
    return units;
  }
}
