package io.seckill.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Looks for reservations that this node admitted and that nobody knows any more. */
public final class LostSearch {
  private static final int PER_LOOKUP = 1_000;

  private final List<String> admitted;
  private final List<String> lost = new ArrayList<>();
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

  /** The next of them. */
  public List<String> getNext() {
    return admitted.subList(seen, Math.min(admitted.size(), seen + PER_LOOKUP));
  }

  /** Takes which of {@link #getNext()} MySQL knows. */
  void take(Set<String> known) {
    List<String> next = getNext();
    next.stream().filter(requestId -> !known.contains(requestId)).forEach(lost::add);
    seen += next.size();
  }

  /** Those that MySQL does not know. */
  public List<String> getLost() {
    return lost;
  }
}
