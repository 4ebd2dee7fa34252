package io.seckill.recovery;

import io.seckill.book.script.RebuildScanReply;
import io.seckill.book.script.RebuildScanReply.Page;
import io.seckill.redis.ScriptCall;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Looks through a book for entries that MySQL has no row of, until as many are found as it has. */
public final class UnknownSearch {
  private static final String FIRST = "0";

  private final long productId;
  private final Comparison comparison;
  private final long entries;
  private final Map<String, String> page = new LinkedHashMap<>();
  private String cursor = FIRST;
  private boolean ended;

  /**
   * @param entries of the book; those that rows were found for are in the comparison
   */
  UnknownSearch(long productId, long entries, Comparison comparison) {
    this.productId = productId;
    this.entries = entries;
    this.comparison = comparison;
  }

  /** Whether there are such entries and not all are found. */
  public boolean isMore() {
    return !ended && comparison.present() < entries;
  }

  /** The call of {@code rebuild-scan} for the next page. */
  ScriptCall next() {
    return ScriptCall.of(productId, cursor, "");
  }

  /** Takes a page. */
  void take(RebuildScanReply reply) {
    page.clear();
    if (!(reply instanceof Page found)) {
      ended = true;
      return;
    }
    cursor = found.cursor();
    ended = cursor.equals(FIRST);
    found.entries().forEach(entry -> page.put(entry.requestId(), entry.status()));
  }

  /** The reservations of the page, to be looked up in MySQL. */
  public Set<String> getRequestIds() {
    return page.keySet();
  }

  /** Takes which of {@link #getRequestIds()} MySQL has rows of. */
  void known(Set<String> known) {
    page.forEach(
        (requestId, status) -> {
          if (!known.contains(requestId)) {
            comparison.unknownToMySql(requestId, status);
          }
        });
  }
}
