package io.seckill.recovery;

import io.seckill.book.script.RebuildCompareReply;
import io.seckill.book.script.RebuildCompareReply.Compared;
import io.seckill.book.script.RebuildCompareReply.Difference;
import io.seckill.book.script.RebuildScanReply;
import io.seckill.book.script.RebuildScanReply.Entry;
import io.seckill.book.script.RebuildScanReply.Page;
import io.seckill.domain.Status;
import io.seckill.order.OrderRow;
import io.seckill.redis.PinnedCall;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Searches, page by page, for the ends of reservations that a book has missed: first those of the
 * entries that it holds as pending, then those of MySQL's failed rows. It holds one page at a time.
 * For one thread.
 */
public final class EndSearch {
  /** Rows that {@code sql/failed-orders-page.sql} reads at a time. */
  private static final int PER_PAGE = 500;

  private static final String FIRST = "0";

  private final Adoption adoption;
  private String cursor = FIRST;
  private boolean morePending;
  private Set<String> requestIds = Set.of();
  private boolean moreFailed = true;
  private long afterId;
  private List<OrderRow> failed = List.of();
  private long missed;

  /**
   * @param pending units that the book holds as pending
   */
  EndSearch(Adoption adoption, long pending) {
    this.adoption = adoption;
    this.morePending = pending > 0;
  }

  /** Whether pages of the book are left to look at. */
  public boolean isMorePending() {
    return morePending;
  }

  /** The call of {@code rebuild-scan} for the next entries that the book holds as pending. */
  ScriptCall nextPending() {
    return call(cursor, Status.PENDING.name());
  }

  /** Takes a page of pending entries. A book that is gone has none. */
  void takePending(RebuildScanReply reply) {
    cursor = reply instanceof Page page ? page.cursor() : FIRST;
    morePending = !cursor.equals(FIRST);
    requestIds =
        reply instanceof Page page
            ? page.entries().stream().map(Entry::requestId).collect(Collectors.toSet())
            : Set.of();
  }

  /** The entries of the last page, for {@code sql/find-orders.sql}. */
  public Set<String> getRequestIds() {
    return requestIds;
  }

  /** Whether failed rows are left to read. */
  public boolean isMoreFailed() {
    return moreFailed;
  }

  /** The id of the row before the next page of failed rows. */
  public long getAfterId() {
    return afterId;
  }

  /** Takes the next rows of {@code sql/failed-orders-page.sql}. */
  void takeFailed(List<OrderRow> rows) {
    failed = rows;
    moreFailed = rows.size() == PER_PAGE;
    afterId = rows.isEmpty() ? afterId : rows.get(rows.size() - 1).id();
  }

  /** The call of {@code rebuild-compare} for the last failed rows; none without rows. */
  List<ScriptCall> compares() {
    if (failed.isEmpty()) {
      return List.of();
    }
    return List.of(
        call(
            failed.stream()
                .flatMap(
                    row ->
                        Stream.of(
                            row.userId() + "|" + row.clientKey(),
                            row.requestId(),
                            row.status().name()))
                .toArray(String[]::new)));
  }

  /** The failed rows of the last page that the book does not hold as such. */
  List<OrderRow> missing(List<RebuildCompareReply> replies) {
    Set<String> differing =
        replies.stream()
            .filter(Compared.class::isInstance)
            .flatMap(reply -> ((Compared) reply).differences().stream())
            .map(Difference::requestId)
            .collect(Collectors.toSet());
    return failed.stream().filter(row -> differing.contains(row.requestId())).toList();
  }

  void count(List<OrderRow> rows) {
    missed += rows.size();
  }

  /** The number of ends that the book had missed. */
  public long getMissed() {
    return missed;
  }

  private ScriptCall call(String... arguments) {
    return new PinnedCall(adoption.productId(), adoption.run(), arguments);
  }
}
