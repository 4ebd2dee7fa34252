package io.seckill.recovery;

import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * MySQL's rows of a sale at one moment, read page by page, and the book they make. Rows never
 * change and are never deleted, so the id of the last row marks the moment.
 */
public final class OrderSnapshot {
  /** Entries in one call of a script. */
  private static final int PER_CALL = 500;

  /** Rows that {@code sql/rebuild-orders.sql} reads at a time. */
  private static final int PER_PAGE = 5_000;

  private final Sale sale;
  private long lastId;
  private long afterId;
  private boolean more;
  private List<BookEntry> page = List.of();
  private Units units = Units.NONE;

  /**
   * @param sale the sale at that moment
   * @param lastId id of the last row; 0 for none
   */
  OrderSnapshot(Sale sale, long lastId) {
    this.sale = sale;
    this.lastId = lastId;
    this.more = lastId > 0;
  }

  /** Whether rows are left to read. */
  public boolean isMore() {
    return more;
  }

  /** The id of the row before the next page. */
  public long getAfterId() {
    return afterId;
  }

  /** The id of the snapshot's last row. */
  public long getLastId() {
    return lastId;
  }

  /** The sale's epoch at that moment. */
  public long getEpoch() {
    return sale.epoch();
  }

  Sale sale() {
    return sale;
  }

  /** The units of the rows read so far. */
  Units units() {
    return units;
  }

  /** Takes the next rows of {@code sql/rebuild-orders.sql}. */
  void take(List<SnapshotRow> rows) {
    page = rows.stream().map(BookEntry::of).toList();
    for (BookEntry entry : page) {
      units = units.plus(entry);
      afterId = entry.orderId();
    }
    more = rows.size() == PER_PAGE && afterId < lastId;
  }

  /**
   * Goes on to a later row: what was decided since is read too.
   *
   * @param laterId id of the last row by now
   */
  void extendTo(long laterId) {
    lastId = Math.max(lastId, laterId);
    more = afterId < lastId;
  }

  /** The calls of {@code rebuild-compare} for the last page. */
  List<ScriptCall> compares() {
    return calls(
        List.of(),
        entry -> List.of(entry.field(), entry.requestId(), entry.status().name()),
        ScriptCall::of);
  }

  /** The call of {@code rebuild-stage} that begins the staging. */
  ScriptCall beginStaging() {
    return new StagingCall(sale.productId(), epoch());
  }

  /** The calls of {@code rebuild-stage} for the last page. */
  List<ScriptCall> stages() {
    return calls(
        List.of(epoch()), entry -> List.of(entry.field(), entry.value()), StagingCall::new);
  }

  private interface CallMaker {
    ScriptCall make(long productId, String... arguments);
  }

  private List<ScriptCall> calls(
      List<String> first, Function<BookEntry, List<String>> each, CallMaker maker) {
    List<ScriptCall> calls = new ArrayList<>();
    for (int from = 0; from < page.size(); from += PER_CALL) {
      List<String> arguments = new ArrayList<>(first);
      page.subList(from, Math.min(page.size(), from + PER_CALL))
          .forEach(entry -> arguments.addAll(each.apply(entry)));
      calls.add(maker.make(sale.productId(), arguments.toArray(String[]::new)));
    }
    return calls;
  }

  /**
   * The call of {@code rebuild-swap}, once all rows are staged.
   *
   * @param terms the present sale, with whose terms and units the book opens
   * @param left the units that are not sold
   * @param run run id of the Redis in which it opens
   */
  ScriptCall swap(Sale terms, Remainder left, String run) {
    return new StagingCall(
        sale.productId(),
        epoch(),
        Long.toString(units.rows()),
        Long.toString(terms.stock()),
        Long.toString(terms.restocked()),
        Long.toString(units.sold()),
        Long.toString(left.writtenOff()),
        Long.toString(units.released()),
        Integer.toString(terms.maxQuantity()),
        millis(terms.startsAt()),
        millis(terms.endsAt()),
        terms.state().name(),
        units.highestOutboxId(),
        run);
  }

  private String epoch() {
    return Long.toString(sale.epoch());
  }

  private static String millis(Long instant) {
    return instant == null ? "" : instant.toString();
  }
}
