package io.seckill.recovery;

import io.seckill.book.script.RebuildScanReply;
import io.seckill.book.script.RebuildScanReply.Page;
import io.seckill.redis.ScriptCall;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Searches a book for entries without a row in MySQL, until it has found all that there are. */
public final class UnknownSearch {
  private static final String FIRST = "0";

  private final long productId;
  private final Comparison comparison;
  private final long entries;
  private final Map<String, String> page = new LinkedHashMap<>();
  private String cursor = FIRST;
  private boolean ended;

  /**
   * @param entries number of the book's entries; the comparison tells how many have rows
   */
  UnknownSearch(long productId, long entries, Comparison comparison) {
    this.productId = productId;
    this.entries = entries;
    this.comparison = comparison;
  }

  /** Whether more such entries exist. */
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

  /** The reservations of the page, for a look-up in MySQL. */
  public Set<String> getRequestIds() {
    return page.keySet();
  }

  /** Takes the reservations of {@link #getRequestIds()} that have rows in MySQL. */
  void known(Set<String> known) {
    page.forEach(
        (requestId, status) -> {
          if (!known.contains(requestId)) {
            comparison.unknownToMySql(requestId, status);
          }
        });
  }
}
