package io.seckill.book;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Judges whether a sale's book is as recent as Kafka and MySQL. Called when Redis has a new run_id
 * (at this node's start, or after Redis was restarted or replaced), on a thread that may block.
 * Until the book is judged current, reservations of the sale are refused.
 *
 * <p>A book is current when its outbox's last id is at least the highest outbox id that Kafka or
 * MySQL has of the product, and its state and epoch equal those of MySQL. A book that was preheated
 * and is missing is not current.
 *
 * <p>An exception means "not known": the sale stays closed and is examined again.
 */
public interface BookVerifier {

  /**
   * Every sale whose book may be in Redis. The method must read MySQL, not a cache: a sale outside
   * the list counts as created after this call, and is open.
   */
  Collection<Long> products() throws Exception;

  /**
   * @param book as Redis has it; empty when it is absent
   */
  Verdict judge(long productId, Optional<Book> book) throws Exception;

  /**
   * @param current whether admissions may go on; if not, the book is examined again from time to
   *     time
   * @param lost whether only a rebuild makes the book current
   * @param reason why the book is not current, for log and operator
   */
  record Verdict(boolean current, boolean lost, String reason) {
    public static final Verdict CURRENT = new Verdict(true, false, "");

    /** The judgement is not possible yet. */
    public static Verdict unknown(String reason) {
      return new Verdict(false, false, reason);
    }

    /** The book is gone or older than what Kafka and MySQL know: it must be rebuilt. */
    public static Verdict outdated(String reason) {
      return new Verdict(false, true, reason);
    }
  }

  /** Trusts every book: for a node without MySQL and Kafka. */
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
