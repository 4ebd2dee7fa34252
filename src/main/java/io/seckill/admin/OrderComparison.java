package io.seckill.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.seckill.answer.Refusal;
import io.seckill.book.script.LookupReply;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.book.script.NoBook;
import io.seckill.book.script.RebuildScanReply;
import io.seckill.book.script.RebuildScanReply.Page;
import io.seckill.domain.Status;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the SUCCESS orders of MySQL with the buyers of a book at rest, page by page, and names
 * the differences. Not thread-safe; use one for each settlement.
 */
public final class OrderComparison {
  /** Largest number of discrepancies to name; more are only counted. */
  public static final int NAMED = 1_000;

  /** Orders on a page of success-orders-page.sql. */
  public static final int PAGE = 1_000;

  /**
   * An order that differs between MySQL and book.
   *
   * @param orders units of the SUCCESS row; null when there is none
   * @param book status and units of the buyer's entry; null when there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Discrepancy(String requestId, Long orders, String book) {}

  private final List<Discrepancy> named = new ArrayList<>();
  private final Set<String> reported = new HashSet<>();
  private long productId;
  private long afterId;
  private long lacking;
  private boolean more = true;
  private String cursor = "0";
  private boolean scanned;
  private List<SuccessOrder> page = List.of();
  private Map<String, String> bookPage = Map.of();

  /** The id before the next page of orders: the :#afterId of success-orders-page.sql. */
  public long afterId() {
    return afterId;
  }

  /** Whether there is another page of orders to read. */
  public boolean hasMoreOrders() {
    return more;
  }

  /** Takes a page of orders; answers the calls of lookup.lua that ask the book for the same. */
  public List<ScriptCall> lookups(long productId, List<SuccessOrder> orders) {
    this.productId = productId;
    page = orders;
    more = orders.size() >= PAGE;
    List<ScriptCall> calls = new ArrayList<>(orders.size());
    for (SuccessOrder order : orders) {
      afterId = order.id();
      calls.add(ScriptCall.of(productId, Long.toString(order.userId()), "", order.requestId()));
    }
    return calls;
  }

  /**
   * Takes the replies to {@link #lookups}, in the same order.
   *
   * @throws Refusal 409 REBUILD_REQUIRED where the book is gone, or closed for a rebuild: that it
   *     says nothing does not mean that it lacks the orders
   */
  public void compareOrders(List<LookupReply> replies) {
    for (int i = 0; i < page.size(); i++) {
      String requestId = page.get(i).requestId();
      long units = page.get(i).quantity();
      if (replies.get(i) instanceof NoBook) {
        throw SaleRefusals.bookLost(productId);
      }
      if (!(replies.get(i) instanceof Found entry)) {
        lacking++;
        add(new Discrepancy(requestId, units, null));
      } else if (entry.status() != Status.SUCCESS || entry.quantity() != units) {
        add(new Discrepancy(requestId, units, entry.status() + " " + entry.quantity()));
      }
    }
    page = List.of();
  }

  /** Whether there is another page of the book to read. */
  public boolean hasMoreBuyers() {
    return !scanned;
  }

  /** The call of rebuild-scan.lua for the next page of the book's SUCCESS entries. */
  public ScriptCall buyers(long productId) {
    return ScriptCall.of(productId, cursor, Status.SUCCESS.name());
  }

  /**
   * Takes a page of the book; returns the request ids that should be orders.
   *
   * @throws Refusal 409 REBUILD_REQUIRED where the book is gone
   */
  public List<String> confirmed(RebuildScanReply reply) {
    if (!(reply instanceof Page found)) {
      throw SaleRefusals.bookLost(productId);
    }
    cursor = found.cursor();
    scanned = cursor.equals("0");
    Map<String, String> entries = new LinkedHashMap<>();
    found
        .entries()
        .forEach(entry -> entries.put(entry.requestId(), entry.status() + " " + entry.quantity()));
    bookPage = entries;
    return List.copyOf(entries.keySet());
  }

  /** Takes which of {@link #confirmed} are orders. */
  public void compareBuyers(List<String> orders) {
    Set<String> ids = new HashSet<>(orders);
    bookPage.forEach(
        (requestId, entry) -> {
          if (!ids.contains(requestId)) {
            add(new Discrepancy(requestId, null, entry));
          }
        });
    bookPage = Map.of();
  }

  private void add(Discrepancy discrepancy) {
    if (reported.add(discrepancy.requestId()) && named.size() < NAMED) {
      named.add(discrepancy);
    }
  }

  /** Number of orders that the book lacks. */
  long lacking() {
    return lacking;
  }

  /** Number of orders that differ. */
  public long count() {
    return reported.size();
  }

  /** The first {@link #NAMED} discrepancies. */
  public List<Discrepancy> named() {
    return List.copyOf(named);
  }
}
