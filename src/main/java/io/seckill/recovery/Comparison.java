package io.seckill.recovery;

import io.seckill.book.script.RebuildCompareReply;
import io.seckill.book.script.RebuildCompareReply.Compared;
import io.seckill.book.script.RebuildCompareReply.Difference;
import java.util.ArrayList;
import java.util.List;

/**
 * The differences between a book's entries and MySQL's rows. It counts all of them and names the
 * first.
 */
final class Comparison {
  /** Largest number of differences to name; nobody would read more. */
  static final int NAMED = 100;

  private static final String NOTHING = "nothing";

  /** A different entry, in MySQL and in the book. */
  record Named(String requestId, String mysql, String book) {}

  private final List<Named> named = new ArrayList<>();
  private long same;
  private long differing;
  private long present;

  /** Takes a reply of {@code rebuild-compare.lua}. Ignores NO_BOOK, which is known already. */
  void take(RebuildCompareReply reply) {
    if (!(reply instanceof Compared compared)) {
      return;
    }
    same += compared.same();
    present += compared.same();
    for (Difference difference : compared.differences()) {
      String requestId = difference.requestId();
      String heldId = difference.heldRequestId();
      if (heldId == null) {
        add(requestId, difference.status(), NOTHING);
      } else {
        present++;
        String held = difference.heldStatus();
        add(
            requestId,
            difference.status(),
            heldId.equals(requestId) ? held : held + " of " + heldId);
      }
    }
  }

  /** Takes an entry of the book without a row in MySQL. */
  void unknownToMySql(String requestId, String status) {
    present++;
    add(requestId, NOTHING, status);
  }

  private void add(String requestId, String mysql, String book) {
    differing++;
    if (named.size() < NAMED) {
      named.add(new Named(requestId, mysql, book));
    }
  }

  /** Number of equal entries in book and MySQL. */
  long same() {
    return same;
  }

  long differing() {
    return differing;
  }

  /** Number of the book's entries found so far. */
  long present() {
    return present;
  }

  /** The first differences. */
  List<Named> named() {
    return List.copyOf(named);
  }
}
