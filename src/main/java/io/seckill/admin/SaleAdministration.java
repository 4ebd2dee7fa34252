package io.seckill.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.book.AdmissionGuard;
import io.seckill.book.Book;
import io.seckill.book.BookVerifier.Verdict;
import io.seckill.domain.ClientKey;
import io.seckill.domain.PositiveId;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.camel.Variable;

/**
 * The rules of administering sales: what may change when, and what the calls of the routes are made
 * of. It reads and writes nothing itself.
 */
public final class SaleAdministration {
  private static final JsonMapper JSON = new JsonMapper();

  private final AdmissionGuard guard;

  /**
   * The rules, for a node.
   *
   * @param guard tells which sales the node admits purchases to
   */
  public SaleAdministration(AdmissionGuard guard) {
    this.guard = guard;
  }

  /**
   * Reads the product id of a path.
   *
   * @param header not a text where the client sent a header or query parameter of the same name
   * @throws Refusal 400 INVALID_REQUEST
   */
  public long productId(Object header) {
    return id("productId", header);
  }

  /** The id of a path, by the name it has there. */
  static long id(String name, Object header) {
    long id = header instanceof String text ? PositiveId.parse(text) : PositiveId.INVALID;
    if (id == PositiveId.INVALID) {
      throw Refusal.of(
          400, "INVALID_REQUEST", "The " + name + " must be a positive 64-bit integer.");
    }
    return id;
  }

  /**
   * Reads the Idempotency-Key of a restock.
   *
   * @throws Refusal 400 INVALID_REQUEST; a restock without a key could not be told from its retry
   */
  public String idemKey(@Variable("clientKey") Object header) {
    return Optional.ofNullable(header instanceof String value ? value : null)
        .flatMap(ClientKey::parse)
        .orElseThrow(
            () ->
                Refusals.invalid("A restock needs one Idempotency-Key of " + ClientKey.RULE + "."));
  }

  /**
   * Lets a body pass that says it is JSON.
   *
   * @throws Refusal 415 UNSUPPORTED_MEDIA_TYPE
   */
  public void requireJson(Object contentType) {
    String type = contentType instanceof String text ? text.split(";", 2)[0].strip() : "";
    if (!type.equalsIgnoreCase("application/json")) {
      throw Refusal.of(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be sent as application/json.");
    }
  }

  /** See {@link SaleTerms#parse}. */
  public SaleTerms terms(long productId, byte[] body) {
    return SaleTerms.parse(productId, body);
  }

  /** See {@link SaleTerms#parseUnits}. */
  public long units(byte[] body) {
    return SaleTerms.parseUnits(body);
  }

  /**
   * Judges a change of terms.
   *
   * @param row the sale as it stands, locked; has_orders tells whether an order of it was ever
   *     written
   * @param book the book, empty where there is none
   * @return the parameters of sale-update.sql, with delta, what the stock changes by
   * @throws Refusal 409 REBUILD_REQUIRED, SETTLED, TERMS_FIXED or SALE_ENDED
   */
  public Map<String, Object> change(Map<String, Object> row, SaleTerms terms, Optional<Book> book) {
    Sale sale = SaleRow.of(row).sale();
    if (book.isEmpty() && hadBook(row)) {
      throw noBook(row);
    }
    if (book.isPresent() && isFixed(book.get()) && differs(book.get(), terms)) {
      throw termsFixed(book.get().initial(), book.get().maxQuantity());
    }
    if (isEnded(sale, book) && windowDiffers(sale, terms)) {
      throw ended(sale.productId());
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("productId", terms.productId());
    parameters.put("name", terms.name());
    parameters.put("stock", terms.stock());
    parameters.put("delta", terms.stock() - sale.stock());
    parameters.put("maxQuantity", terms.maxQuantity());
    parameters.put("startsAt", terms.startsAt());
    parameters.put("endsAt", terms.endsAt());
    parameters.put("ratePerSecond", terms.ratePerSecond());
    parameters.put("activityId", terms.activityId());
    return parameters;
  }

  /** Stock and limit are fixed once a unit was reserved. */
  private static boolean isFixed(Book book) {
    return book.pending() + book.sold() + book.writtenOff() + book.released() > 0;
  }

  private static boolean differs(Book book, SaleTerms terms) {
    return terms.stock() != book.initial() || terms.maxQuantity() != book.maxQuantity();
  }

  private static boolean isEnded(Sale sale, Optional<Book> book) {
    return sale.state() == Sale.State.ENDED
        || book.filter(found -> found.state().equals(Sale.State.ENDED.name())).isPresent();
  }

  private static boolean windowDiffers(Sale sale, SaleTerms terms) {
    return !Objects.equals(sale.startsAt(), terms.startsAt())
        || !Objects.equals(sale.endsAt(), terms.endsAt());
  }

  /**
   * Judges a change of state: ENDED is final, the rest may be asked for again and again.
   *
   * @param row the sale as it stands, locked; null where there is none
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SALE_ENDED
   */
  public void requireState(long productId, Map<String, Object> row, String wanted) {
    requireKnown(productId, row);
    if (SaleRow.of(row).sale().state() == Sale.State.ENDED
        && Sale.State.valueOf(wanted) != Sale.State.ENDED) {
      throw ended(productId);
    }
  }

  /**
   * Judges a restock.
   *
   * @param row the sale as it stands, locked; null where there is none
   * @param earlier what an earlier restock with this key added, null where there was none
   * @return the units to add in MySQL: 0 where this key added them before
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SALE_ENDED, 422 KEY_REUSED
   */
  public long restock(long productId, Map<String, Object> row, Number earlier, long units) {
    requireKnown(productId, row);
    if (earlier != null) {
      if (earlier.longValue() != units) {
        throw Refusal.of(422, "KEY_REUSED", "This key added another number of units.")
            .with("units", earlier.longValue());
      }
      return 0;
    }
    Sale sale = SaleRow.of(row).sale();
    if (sale.state() == Sale.State.ENDED) {
      throw ended(productId);
    }
    if (sale.stock() + sale.restocked() + units > SaleTerms.MAX_STOCK) {
      throw Refusal.of(
          400, "INVALID_REQUEST", "A sale may hold at most " + SaleTerms.MAX_STOCK + " units.");
    }
    return units;
  }

  /**
   * Makes sure there is such a sale.
   *
   * @throws Refusal 404 UNKNOWN_PRODUCT
   */
  public void requireKnown(long productId, Map<String, Object> row) {
    if (row == null) {
      throw Refusal.of(404, "UNKNOWN_PRODUCT", "There is no sale of this product.")
          .with("productId", productId);
    }
  }

  /**
   * Makes sure that the sale has its book, or needs none any more.
   *
   * @param preheatCode what preheat.lua said: -1 no book, 4 the book is of another epoch
   * @throws Refusal 409 REBUILD_REQUIRED
   */
  public void requireBook(Map<String, Object> row, long preheatCode) {
    if ((preheatCode < 0 || preheatCode > 3) && !SaleRow.of(row).settled()) {
      throw noBook(row);
    }
  }

  /** The call of ledger.lua, and of any script without arguments. */
  public ScriptCall call(long productId) {
    return ScriptCall.of(productId);
  }

  /**
   * The call of preheat.lua that brings a book to what MySQL says. Of a sale that had a book it
   * makes none: a missing one is a loss.
   */
  public ScriptCall preheat(Map<String, Object> row) {
    Sale sale = SaleRow.of(row).sale();
    return ScriptCall.of(
        sale.productId(),
        Long.toString(sale.epoch()),
        Long.toString(sale.stock()),
        Integer.toString(sale.maxQuantity()),
        millis(sale.startsAt()),
        millis(sale.endsAt()),
        sale.state().name(),
        hadBook(row) ? "existing" : "");
  }

  private static boolean hadBook(Map<String, Object> row) {
    return SaleRow.of(row).sale().preheated() || ((Number) row.get("has_orders")).intValue() != 0;
  }

  /** The call of sale-state.lua that brings a book to the state MySQL says. */
  public ScriptCall state(Map<String, Object> row) {
    Sale sale = SaleRow.of(row).sale();
    return ScriptCall.of(sale.productId(), sale.state().name());
  }

  /** The call of restock.lua that brings a book to the units MySQL says were added in all. */
  public ScriptCall restocked(Map<String, Object> row) {
    Sale sale = SaleRow.of(row).sale();
    return ScriptCall.of(sale.productId(), "1", Long.toString(sale.restocked()));
  }

  private static String millis(Long instant) {
    return instant == null ? "" : instant.toString();
  }

  /** The sale of a row, for this node's list of sales. */
  public Sale sale(Map<String, Object> row) {
    return SaleRow.of(row).sale();
  }

  /** What an administrative call answers of a sale. */
  public Map<String, Object> view(Map<String, Object> row) {
    Sale sale = SaleRow.of(row).sale();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("productId", sale.productId());
    view.put("name", sale.name());
    view.put("stock", sale.stock());
    view.put("restocked", sale.restocked());
    view.put("maxQuantity", sale.maxQuantity());
    view.put("startsAt", instant(sale.startsAt()));
    view.put("endsAt", instant(sale.endsAt()));
    view.put("ratePerSecond", sale.ratePerSecond());
    view.put("activityId", sale.activityId());
    view.put("state", sale.state());
    view.put("epoch", sale.epoch());
    view.put("preheated", sale.preheated());
    if (row.containsKey("settled_at")) {
      view.put("settledAt", instant((Long) row.get("settled_at")));
    }
    return view;
  }

  private static String instant(Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis).toString();
  }

  /** What {@code GET /admin/sales} answers. */
  public Map<String, Object> list(List<Map<String, Object>> rows) {
    Map<Long, Verdict> verdicts = guard.verdicts();
    return Map.of(
        "sales",
        rows.stream()
            .map(
                row -> {
                  Map<String, Object> view = view(row);
                  addAdmission(view, SaleRow.of(row).sale().productId(), verdicts);
                  return view;
                })
            .toList());
  }

  /** Whether this node lets purchases go to the sale's book, and why not. */
  private void addAdmission(Map<String, Object> view, long productId, Map<Long, Verdict> verdicts) {
    if (guard.admits(productId)) {
      view.put("admission", "OPEN");
      return;
    }
    Verdict verdict = verdicts.get(productId);
    view.put("admission", verdict != null && verdict.lost() ? "REBUILD_REQUIRED" : "VERIFYING");
    view.put("admissionReason", verdict == null ? "not looked at yet" : verdict.reason());
  }

  /**
   * The audit row's detail, as JSON: what was asked.
   *
   * @param terms null where the call was not about them; so are units and idemKey
   */
  public String detail(long productId, SaleTerms terms, Long units, String idemKey) {
    Map<String, Object> asked = new LinkedHashMap<>();
    asked.put("productId", productId);
    if (terms != null) {
      asked.put("terms", terms);
    }
    if (units != null) {
      asked.put("units", units);
    }
    if (idemKey != null) {
      asked.put("idemKey", idemKey);
    }
    try {
      return JSON.writeValueAsString(asked);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Cannot be written as JSON: " + asked, e);
    }
  }

  /** The parameters of sale-follow-book.sql. */
  public Map<String, Object> follow(Map<String, Object> row, Optional<Book> found) {
    Sale sale = SaleRow.of(row).sale();
    Book book = found.orElseThrow(() -> noBook(row));
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("productId", sale.productId());
    parameters.put("stock", book.initial());
    parameters.put("delta", book.initial() - sale.stock());
    parameters.put("maxQuantity", book.maxQuantity());
    return parameters;
  }

  /**
   * Makes sure that the terms hold: a reservation may have come first and fixed others.
   *
   * @throws Refusal 409 TERMS_FIXED
   */
  public void requireTerms(Map<String, Object> row, SaleTerms terms) {
    Sale sale = SaleRow.of(row).sale();
    if (sale.stock() != terms.stock() || sale.maxQuantity() != terms.maxQuantity()) {
      throw termsFixed(sale.stock(), sale.maxQuantity());
    }
  }

  private static Refusal termsFixed(long stock, long maxQuantity) {
    return Refusal.of(
            409,
            "TERMS_FIXED",
            "stock and maxQuantity are fixed once a unit was reserved; POST restock adds units.")
        .with("stock", stock)
        .with("maxQuantity", maxQuantity);
  }

  private static Refusal ended(long productId) {
    return Refusal.of(409, "SALE_ENDED", "The sale has ended, which is final.")
        .with("productId", productId);
  }

  private static Refusal noBook(Map<String, Object> row) {
    Refusal refusal =
        SaleRow.of(row).settled()
            ? Refusal.of(409, "SETTLED", "The sale is settled, and its book has left Redis.")
            : Refusal.of(
                409,
                "REBUILD_REQUIRED",
                "The sale had a book, and Redis no longer has it: POST rebuild makes it from MySQL.");
    return refusal.with("productId", SaleRow.of(row).sale().productId());
  }
}
