package io.seckill.recovery;

import io.seckill.book.script.LookupReply;
import io.seckill.book.script.LookupReply.NotFound;
import io.seckill.book.script.NoBook;
import io.seckill.domain.RequestId;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Looks for reservations that this node admitted and that are neither in the open book nor in
 * MySQL. It asks the book first, which has a new reservation at once.
 */
public final class LostSearch {
  private static final int PER_LOOKUP = 500;

  private final List<String> admitted;
  private final List<String> lost = new ArrayList<>();
  private List<String> notInBook = List.of();
  private int seen;

  /**
   * @param admitted request ids, oldest first
   */
  LostSearch(List<String> admitted) {
    this.admitted = admitted;
  }

  /** Whether reservations are left to look up. */
  public boolean isMore() {
    return seen < admitted.size();
  }

  /** The calls of {@code lookup} for the next reservations. */
  List<ScriptCall> next() {
    return page().stream().map(LostSearch::lookup).toList();
  }

  private List<String> page() {
    return admitted.subList(seen, Math.min(admitted.size(), seen + PER_LOOKUP));
  }

  private static ScriptCall lookup(String requestId) {
    RequestId id = RequestId.parse(requestId).orElseThrow();
    return ScriptCall.of(id.productId(), Long.toString(id.userId()), "", requestId);
  }

  /**
   * Takes the replies to {@link #next()}.
   *
   * @return false when there is no open book; the replies are then ignored
   */
  boolean takeFromBook(List<LookupReply> replies) {
    List<String> page = page();
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < page.size(); i++) {
      LookupReply reply = replies.get(i);
      if (reply instanceof NoBook) {
        return false;
      }
      if (reply instanceof NotFound) {
        missing.add(page.get(i));
      }
    }
    notInBook = missing;
    seen += page.size();
    return true;
  }

  /** The page's reservations that are not in the book, for a look-up in MySQL. */
  public List<String> getNotInBook() {
    return notInBook;
  }

  /** Takes the reservations of {@link #getNotInBook()} that MySQL has. */
  void takeKnown(Set<String> known) {
    notInBook.stream().filter(requestId -> !known.contains(requestId)).forEach(lost::add);
  }

  /** The lost reservations. */
  public List<String> getLost() {
    return lost;
  }
}
