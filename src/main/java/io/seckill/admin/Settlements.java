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
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRow;
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
      long productId, OrderComparison comparison, List<Map<String, Object>> orders) {
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
  public void compareBuyers(OrderComparison comparison, List<Map<String, Object>> orders) {
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
   * Composes the settlement: the parameters of settlement-add.sql and sale-settle.sql.
   *
   * @param row the sale, locked
   * @param closed the book, in which nothing moves any more
   * @param counted units and success of orders-of-sale.sql, read within the transaction
   * @param comparison which orders book and MySQL do not agree on
   * @throws Refusal 409 SETTLEMENT_PENDING where units that MySQL added are not in the book yet
   */
  public Map<String, Object> settle(
      Map<String, Object> row,
      ClosedBook closed,
      Map<String, ?> counted,
      OrderComparison comparison) {
    Sale sale = SaleRow.of(row).sale();
    long initial = closed.initial();
    long restocked = closed.restocked();
    long sold = closed.sold();
    long units = number(counted.get("units"));
    long count = number(row.get("count"));
    if (sale.restocked() != restocked) {
      throw pending(sale.productId());
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
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("productId", sale.productId());
    parameters.put("initial", initial);
    parameters.put("restocked", restocked);
    parameters.put("sold", sold);
    parameters.put("writtenOff", closed.writtenOff());
    parameters.put("released", closed.released());
    parameters.put("orders", number(counted.get("success")));
    parameters.put("units", units);
    parameters.put("discrepancy", units - sold);
    parameters.put("details", details.isEmpty() ? null : json(details));
    parameters.put("taken", taken);
    parameters.put("delta", -taken);
    return parameters;
  }

  /** What {@code POST /admin/sales/{productId}/settle} answers. */
  public Map<String, Object> view(Map<String, ?> settlement) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("productId", settlement.get("product_id"));
    view.put("initial", settlement.get("initial"));
    view.put("restocked", settlement.get("restocked"));
    view.put("sold", settlement.get("sold"));
    view.put("writtenOff", settlement.get("written_off"));
    view.put("released", settlement.get("released"));
    view.put("orders", settlement.get("orders"));
    view.put("units", settlement.get("units"));
    view.put("discrepancy", settlement.get("discrepancy"));
    if (settlement.get("details") != null) {
      view.put("details", parse((String) settlement.get("details")));
    }
    view.put("settledAt", Instant.ofEpochMilli(number(settlement.get("settled_at"))).toString());
    return view;
  }

  /** The call of retire-book.lua for a row of settled-books.sql. */
  public ScriptCall retirement(Map<String, ?> row) {
    return ScriptCall.of(number(row.get("product_id")), Long.toString(number(row.get("epoch"))));
  }

  /** Whether a settlement found book and orders in agreement. */
  public boolean isClean(Map<String, ?> settlement) {
    return number(settlement.get("discrepancy")) == 0 && settlement.get("details") == null;
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

  private static long number(Object value) {
    return ((Number) value).longValue();
  }
}
