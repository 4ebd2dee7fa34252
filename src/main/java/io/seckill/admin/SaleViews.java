package io.seckill.admin;

import io.seckill.book.AdmissionGuard;
import io.seckill.book.BookVerifier.Verdict;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the answers about sales for operators. */
public final class SaleViews {
  private final AdmissionGuard guard;

  /**
   * The views of a node.
   *
   * @param guard tells which sales the node admits
   */
  public SaleViews(AdmissionGuard guard) {
    this.guard = guard;
  }

  /** The sale alone, for this node's list of sales. */
  public Sale sale(StoredSale stored) {
    return stored.sale();
  }

  /** The answer about one sale. */
  public Map<String, Object> view(StoredSale stored) {
    return view(stored.sale());
  }

  private static Map<String, Object> view(Sale sale) {
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
    return view;
  }

  private static String instant(Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis).toString();
  }

  /** The answer of {@code GET /admin/sales}. */
  public Map<String, Object> list(List<ListedSale> sales) {
    Map<Long, Verdict> verdicts = guard.verdicts();
    return Map.of(
        "sales",
        sales.stream()
            .map(
                listed -> {
                  Map<String, Object> view = view(listed.sale());
                  view.put("settledAt", instant(listed.settledAt()));
                  addAdmission(view, listed.sale().productId(), verdicts);
                  return view;
                })
            .toList());
  }

  /** Adds whether this node admits purchases of the sale, and why not. */
  private void addAdmission(Map<String, Object> view, long productId, Map<Long, Verdict> verdicts) {
    if (guard.admits(productId)) {
      view.put("admission", "OPEN");
      return;
    }
    Verdict verdict = verdicts.get(productId);
    view.put("admission", verdict != null && verdict.lost() ? "REBUILD_REQUIRED" : "VERIFYING");
    view.put("admissionReason", verdict == null ? "not checked yet" : verdict.reason());
  }
}
