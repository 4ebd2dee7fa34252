package io.seckill.book;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Judges whether a sale's book is as new as what Kafka and MySQL know. Asked when this node meets a
 * Redis of another run_id than before (at its start, after a restart or replacement of Redis), on a
 * thread that may block; until it has agreed, reservations of the sale are refused.
 *
 * <p>A book is current when its outbox's last id is not below the highest outbox id that Kafka or
 * MySQL holds of the product, and its state and epoch are those of MySQL. A book that is missing
 * though it was preheated once is not current.
 *
 * <p>Whatever throws counts as "not known": the sale stays closed and is asked about again.
 */
public interface BookVerifier {

  /**
   * Every sale whose book may be in Redis, read from MySQL now, not from a cache: a sale that is
   * not listed is taken as created after this call, and is open.
   */
  Collection<Long> products() throws Exception;

  /**
   * @param book as Redis has it; empty when it is absent
   */
  Verdict judge(long productId, Optional<Book> book) throws Exception;

  /**
   * @param current whether admissions may go on; if not, the book is asked about again from time to
   *     time
   * @param lost whether it will not become current by itself: a rebuild makes it so
   * @param reason why not, for the log and for the operator
   */
  record Verdict(boolean current, boolean lost, String reason) {
    public static final Verdict CURRENT = new Verdict(true, false, "");

    /** It cannot be said yet. */
    public static Verdict unknown(String reason) {
      return new Verdict(false, false, reason);
    }

    /** The book is gone or older than what Kafka and MySQL know: it must be rebuilt. */
    public static Verdict outdated(String reason) {
      return new Verdict(false, true, reason);
    }
  }

  /** Takes every book as it is: for a node that has no MySQL and Kafka to compare with. */
  static BookVerifier trusting() {
    return new BookVerifier() {
      @Override
      public Collection<Long> products() {
        return List.of();
      }

      @Override
      public Verdict judge(long productId, Optional<Book> book) {
        return Verdict.CURRENT;
      }
    };
  }
}
