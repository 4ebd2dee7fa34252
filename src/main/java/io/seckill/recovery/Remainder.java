package io.seckill.recovery;

import io.seckill.sale.Sale;

/**
 * The units of a sale that are not sold, as a rebuilt book takes them.
 *
 * @param available units that can be reserved; negative where more was sold than there is
 * @param writtenOff all others
 */
record Remainder(long available, long writtenOff) {

  /**
   * Strategy A: what the tombstones wrote off is not for sale, unless nothing is left to write off.
   */
  static Remainder ofOrders(Sale terms, Units units) {
    long unsold = unsold(terms, units);
    return of(unsold, Math.max(0, unsold - units.writtenOff()));
  }

  /**
   * Strategy B: for sale is what MySQL still holds. A unit that was written off because MySQL had
   * none may never have existed.
   *
   * @param count units MySQL holds, read where no writer takes any
   */
  static Remainder ofStock(Sale terms, Units units, long count) {
    long unsold = unsold(terms, units);
    return of(unsold, Math.min(unsold, count));
  }

  private static long unsold(Sale terms, Units units) {
    return terms.stock() + terms.restocked() - units.sold();
  }

  private static Remainder of(long unsold, long available) {
    return unsold < 0 ? new Remainder(unsold, 0) : new Remainder(available, unsold - available);
  }
}
