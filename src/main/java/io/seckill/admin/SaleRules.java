package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRow;
import java.util.Map;

/** Judges whether a sale is there, has its book, and may take the state that is asked for. */
public final class SaleRules {

  /**
   * Makes sure there is such a sale.
   *
   * @param row the sale, null where there is none
   * @throws Refusal 404 UNKNOWN_PRODUCT
   */
  public void requireKnown(long productId, Map<String, Object> row) {
    if (row == null) {
      throw SaleRefusals.unknown(productId);
    }
  }

  /**
   * Judges a change of state: ENDED is final, the rest may be asked for again and again.
   *
   * @param row the sale as it stands, locked; null where there is none
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SALE_ENDED
   */
  public void requireState(long productId, Map<String, Object> row, String wanted) {
    requireKnown(productId, row);
    if (SaleRow.of(row).sale().state() == Sale.State.ENDED
        && Sale.State.valueOf(wanted) != Sale.State.ENDED) {
      throw SaleRefusals.ended(productId);
    }
  }

  /**
   * Makes sure that the sale has its book, or needs none any more.
   *
   * @param preheatCode what preheat.lua said: -1 no book, 4 the book is of another epoch
   * @throws Refusal 409 REBUILD_REQUIRED
   */
  public void requireBook(Map<String, Object> row, long preheatCode) {
    if ((preheatCode < 0 || preheatCode > 3) && !SaleRow.of(row).settled()) {
      throw SaleRefusals.noBook(row);
    }
  }

  /**
   * Makes sure that the sale still needs its book.
   *
   * @param row the sale, null where there is none
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SETTLED
   */
  public void requireUnsettled(long productId, Map<String, Object> row) {
    requireKnown(productId, row);
    if (SaleRow.of(row).settled()) {
      throw Refusal.of(409, "SETTLED", "The sale is settled: it needs no book any more.")
          .with("productId", productId);
    }
  }
}
