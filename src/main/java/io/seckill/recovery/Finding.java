package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.domain.OrderCount;
import java.util.ArrayList;
import java.util.List;

/**
 * A contradiction between a sale's book and its orders.
 *
 * @param detail a text for log and operator
 */
record Finding(Kind kind, String detail) {

  enum Kind {
    /** I1 does not hold. */
    UNITS(false),
    /** The book has sold units without an order in MySQL (I2). */
    AHEAD(false),
    /** MySQL has orders that are missing in the book (I2), which is older than MySQL. */
    BEHIND(true),
    /** The orders have more units than the sale (I3). */
    OVERSOLD(false);

    private final boolean outdated;

    Kind(boolean outdated) {
      this.outdated = outdated;
    }

    /** Whether the book may sell sold units again, so that the sale must be closed. */
    boolean isOutdated() {
      return outdated;
    }
  }

  /**
   * Compares. The reads must happen in the order of the parameters, so that orders in flight cause
   * no finding.
   *
   * @param counted the orders between the two
   */
  static List<Finding> of(Book before, OrderCount counted, Book after) {
    List<Finding> found = new ArrayList<>();
    if (before.epoch() != after.epoch()) {
      return found;
    }
    long units = counted.units();
    if (!after.balanced()) {
      found.add(new Finding(Kind.UNITS, "the units of the book do not add up: " + after));
    }
    if (before.sold() > units) {
      found.add(
          new Finding(
              Kind.AHEAD,
              "the book says " + before.sold() + " units are sold, MySQL has orders of " + units));
    }
    if (units > after.sold() + after.pending()) {
      found.add(
          new Finding(
              Kind.BEHIND,
              "MySQL has orders of "
                  + units
                  + " units, the book knows of "
                  + (after.sold() + after.pending())));
    }
    if (units > after.initial() + after.restocked()) {
      found.add(
          new Finding(
              Kind.OVERSOLD,
              "MySQL has orders of "
                  + units
                  + " units, the sale has "
                  + (after.initial() + after.restocked())));
    }
    return found;
  }
}
