package io.seckill.recovery;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.seckill.book.Book;
import io.seckill.domain.OrderCount;
import io.seckill.domain.Settlement;

/**
 * A sale's book and orders side by side: the answer of {@code GET /admin/sales/{productId}/ledger}.
 * Amounts count units, orders count orders.
 *
 * @param outbox entries that wait for the relay
 * @param balanced whether I1, I2 and I3 hold, as far as a running sale shows
 * @param imbalance units that contradict them; 0 when balanced
 */
public record Ledger(
    long productId,
    long initial,
    long restocked,
    long available,
    long pending,
    long sold,
    long writtenOff,
    long released,
    long outbox,
    Orders orders,
    long epoch,
    boolean balanced,
    @JsonIgnore long imbalance) {

  /** Number of the sale's orders in MySQL, by outcome. */
  public record Orders(long success, long failed) {}

  /**
   * Compares. The three reads must happen in the order of the parameters. {@code sold} never falls
   * and a SUCCESS row never disappears, so {@code sold <= C} holds for the earlier book and {@code
   * C <= sold + pending} for the later one, whatever happens in between.
   *
   * @param before the book before the orders were counted
   * @param counted the orders
   * @param after the book after that
   */
  public static Ledger of(long productId, Book before, OrderCount counted, Book after) {
    long units = counted.units();
    long imbalance =
        Math.abs(
                after.available()
                    + after.pending()
                    + after.sold()
                    + after.writtenOff()
                    - after.initial()
                    - after.restocked())
            + Math.max(0, before.sold() - units)
            + Math.max(0, units - after.sold() - after.pending())
            + Math.max(0, units - after.initial() - after.restocked());
    boolean sameBook = before.epoch() == after.epoch();
    return new Ledger(
        productId,
        after.initial(),
        after.restocked(),
        after.available(),
        after.pending(),
        after.sold(),
        after.writtenOff(),
        after.released(),
        after.outboxLength(),
        new Orders(counted.success(), counted.failed()),
        after.epoch(),
        sameBook && imbalance == 0 && before.balanced() && after.balanced(),
        imbalance);
  }

  /**
   * The ledger of a sale whose book has left Redis, from its settlement and its present orders.
   *
   * @param counted the orders
   */
  public static Ledger settled(
      long productId, Settlement settlement, OrderCount counted, long epoch) {
    long initial = settlement.initial();
    long restocked = settlement.restocked();
    long sold = settlement.sold();
    long writtenOff = settlement.writtenOff();
    long imbalance = Math.abs(counted.units() - sold);
    return new Ledger(
        productId,
        initial,
        restocked,
        initial + restocked - sold - writtenOff,
        0,
        sold,
        writtenOff,
        settlement.released(),
        0,
        new Orders(counted.success(), counted.failed()),
        epoch,
        imbalance == 0,
        imbalance);
  }
}
