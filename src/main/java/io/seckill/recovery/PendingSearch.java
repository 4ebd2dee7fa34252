package io.seckill.recovery;

import io.seckill.book.script.RebuildCloseReply;
import io.seckill.book.script.RebuildCloseReply.Closed;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Finds reservations that are pending in a closed and drained book, although no record of them is
 * on its way, and sends them again.
 */
public final class PendingSearch {
  private static final int PER_CALL = 500;

  private final long productId;
  private final long until;
  private long left;
  private long offset;
  private long sentAgain;

  /**
   * @param closed the book after the drain
   */
  PendingSearch(long productId, RebuildCloseReply closed) {
    this.productId = productId;
    if (closed instanceof Closed book) {
      this.left = book.pending();
      this.until = book.now();
    } else {
      this.left = 0;
      this.until = 0;
    }
  }

  /** Whether reservations are left to look at. */
  public boolean isMore() {
    return left > 0;
  }

  /** Reservations sent again so far. */
  public long getSentAgain() {
    return sentAgain;
  }

  /** The call of {@code overdue} for the next reservations. */
  ScriptCall next() {
    return ScriptCall.of(
        productId, Long.toString(until), Integer.toString(PER_CALL), Long.toString(offset));
  }

  /**
   * The calls of {@code resend} for the page's reservations that MySQL does not have. Each of them
   * moves to a later place in the index, so the next page begins that much earlier.
   */
  List<ScriptCall> resends(Collection<String> page, Set<String> known) {
    List<ScriptCall> calls = new ArrayList<>();
    for (String requestId : page) {
      if (!known.contains(requestId)) {
        calls.add(ScriptCall.of(productId, requestId));
      }
    }
    sentAgain += calls.size();
    offset += PER_CALL - calls.size();
    left -= PER_CALL;
    return calls;
  }
}
