package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.domain.Status;

/**
 * The sums over MySQL's rows of a sale.
 *
 * @param success number of orders
 * @param failed number of tombstones
 * @param sold units of the orders
 * @param writtenOff units of FAIL_SOLD_OUT tombstones, for which MySQL had no unit
 * @param released units of all other tombstones
 * @param highestOutboxId highest id of all rows, in Redis's order; empty when there is none
 */
record Units(
    long success, long failed, long sold, long writtenOff, long released, String highestOutboxId) {
  static final Units NONE = new Units(0, 0, 0, 0, 0, "");

  Units plus(BookEntry entry) {
    boolean order = entry.status() == Status.SUCCESS;
    boolean lost = entry.status() == Status.FAIL_SOLD_OUT;
    return new Units(
        success + (order ? 1 : 0),
        failed + (order ? 0 : 1),
        sold + (order ? entry.quantity() : 0),
        writtenOff + (lost ? entry.quantity() : 0),
        released + (order || lost ? 0 : entry.quantity()),
        Book.compareOutboxIds(highestOutboxId, entry.outboxId()) >= 0
            ? highestOutboxId
            : entry.outboxId());
  }

  long rows() {
    return success + failed;
  }
}
