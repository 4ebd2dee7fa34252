package io.seckill.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.answer.Refusal;
import io.seckill.book.ClosedBook;
import io.seckill.book.script.LookupReply;
import io.seckill.book.script.NoBook;
import io.seckill.book.script.RebuildScanReply;
import io.seckill.book.script.SettleBeginReply;
import io.seckill.book.script.SettleBeginReply.NotAtRest;
import io.seckill.book.script.SettleBeginReply.NotOver;
import io.seckill.domain.OrderCount;
import io.seckill.domain.Settlement;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules for the settlement of a sale: when it is allowed, its content, and the units that it
 * takes from MySQL's stock. It reads and writes nothing itself.
 */
public final class Settlements {
  private static final int RETRY_SECONDS = 1;
  private static final JsonMapper JSON = new JsonMapper();

  private final boolean takesUnits;

  /**
   * Rules of a strategy.
   *
   * @param strategy A: the settlement takes the sold units from products.count; B: each order has
   *     taken its units
   * @throws IllegalArgumentException for another strategy
   */
  public Settlements(String strategy) {
    if (!strategy.equals("A") && !strategy.equals("B")) {
      throw new IllegalArgumentException("seckill.strategy must be A or B, not '" + strategy + "'");
    }
    this.takesUnits = strategy.equals("A");
  }

  /** Makes the comparison for one settlement. */
  public OrderComparison comparison() {
    return new OrderComparison();
  }

  /** See {@link OrderComparison#lookups}. */
  public List<ScriptCall> lookups(
      long productId, OrderComparison comparison, List<SuccessOrder> orders) {
    return comparison.lookups(productId, orders);
  }

  /** See {@link OrderComparison#compareOrders}. */
  public void compareOrders(OrderComparison comparison, List<LookupReply> replies) {
    comparison.compareOrders(replies);
  }

  /** See {@link OrderComparison#buyers}. */
  public ScriptCall buyers(long productId, OrderComparison comparison) {
    return comparison.buyers(productId);
  }

  /** See {@link OrderComparison#confirmed}. */
  public List<String> confirmed(OrderComparison comparison, RebuildScanReply reply) {
    return comparison.confirmed(reply);
  }

  /** See {@link OrderComparison#compareBuyers}. */
  public void compareBuyers(OrderComparison comparison, List<String> orders) {
    comparison.compareBuyers(orders);
  }

  /**
   * Checks the reply of settle-begin.lua.
   *
   * @throws Refusal 409 NOT_ENDED, SETTLEMENT_PENDING or REBUILD_REQUIRED
   */
  public void requireAtRest(long productId, SettleBeginReply reply) {
    if (reply instanceof NotAtRest onTheWay) {
      throw pending(productId)
          .with("pending", onTheWay.pending())
          .with("outbox", onTheWay.outboxLength());
    }
    if (reply instanceof NotOver on) {
      throw Refusal.of(409, "NOT_ENDED", "The sale is still on: POST end ends it.")
          .with("productId", productId)
          .with(
              "endsAt", on.endsAt() == null ? null : Instant.ofEpochMilli(on.endsAt()).toString());
    }
    if (reply instanceof NoBook) {
      throw SaleRefusals.bookLost(productId);
    }
  }

  private static Refusal pending(long productId) {
    return Refusal.of(409, "SETTLEMENT_PENDING", "Reservations of the sale are still on their way.")
        .with("productId", productId)
        .retryAfter(RETRY_SECONDS);
  }

  /**
   * Composes the settlement.
   *
   * @param stored the sale, locked
   * @param closed the book at rest
   * @param counted the orders, read in the same transaction
   * @param comparison the orders that differ between book and MySQL
   * @throws Refusal 409 SETTLEMENT_PENDING while units that MySQL added are missing in the book,
   *     and when another book has taken its place; 409 REBUILD_REQUIRED when the book lacks orders
   *     or units that MySQL has sold, unless that is more than there is, which no rebuild can mend
   */
  public NewSettlement settle(
      StoredSale stored, ClosedBook closed, OrderCount counted, OrderComparison comparison) {
    Sale sale = stored.sale();
    long initial = closed.initial();
    long restocked = closed.restocked();
    long sold = closed.sold();
    long units = counted.units();
    long count = stored.count();
    boolean replaced = stored.rebuildSince() != null || sale.epoch() != closed.epoch();
    if (sale.restocked() != restocked || replaced) {
      throw pending(sale.productId());
    }
    boolean behind = comparison.lacking() > 0 || sold < units;
    if (behind && units <= initial + restocked) {
      throw SaleRefusals.bookBehind(sale.productId(), comparison.lacking(), units - sold);
    }
    long taken = takesUnits ? Math.min(units, count) : 0;
    Map<String, Object> details = new LinkedHashMap<>();
    if (comparison.count() > 0) {
      details.put("ordersConcerned", comparison.count());
      details.put("orders", comparison.named());
    }
    if (units > initial + restocked) {
      details.put("oversold", units - initial - restocked);
    }
    if (count - taken != initial + restocked - units) {
      details.put("count", Map.of("expected", initial + restocked - units, "found", count - taken));
    }
    return new NewSettlement(
        sale.productId(),
        initial,
        restocked,
        sold,
        closed.writtenOff(),
        closed.released(),
        counted.success(),
        units,
        units - sold,
        details.isEmpty() ? null : json(details),
        taken,
        -taken);
  }

  /** The answer of {@code POST /admin/sales/{productId}/settle}. */
  public Map<String, Object> view(Settlement settlement) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("productId", settlement.productId());
    view.put("initial", settlement.initial());
    view.put("restocked", settlement.restocked());
    view.put("sold", settlement.sold());
    view.put("writtenOff", settlement.writtenOff());
    view.put("released", settlement.released());
    view.put("orders", settlement.orders());
    view.put("units", settlement.units());
    view.put("discrepancy", settlement.discrepancy());
    if (settlement.details() != null) {
      view.put("details", parse(settlement.details()));
    }
    view.put("settledAt", Instant.ofEpochMilli(settlement.settledAt()).toString());
    return view;
  }

  /** The call of retire-book.lua for a book. */
  public ScriptCall retirement(SettledBook book) {
    return ScriptCall.of(book.productId(), Long.toString(book.epoch()));
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Cannot be written as JSON: " + value, e);
    }
  }

  private static Object parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not JSON: " + json, e);
    }
  }
}
