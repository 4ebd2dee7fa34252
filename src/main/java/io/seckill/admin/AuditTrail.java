package io.seckill.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.answer.Refusal;
import io.seckill.http.Operator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Reads requests for the audit rows, and makes the answers of who did what. */
public final class AuditTrail {
  /** Default number of rows on a page. */
  static final int DEFAULT_PAGE = 50;

  /** Largest number of rows on a page. */
  static final int MAX_PAGE = 500;

  private static final JsonMapper JSON = new JsonMapper();

  /**
   * Reads the query.
   *
   * @param query the parameters productId, before and limit, each a text or absent
   * @throws Refusal 400 INVALID_REQUEST
   */
  public AuditQuestion question(@Variable("query") Map<String, Object> query) {
    Object product = query.get("productId");
    Object before = query.get("before");
    Object limit = query.get("limit");
    return new AuditQuestion(
        product == null
            ? null
            : (Long) QueryNumbers.number(product, "productId", 1, Long.MAX_VALUE),
        product == null ? 1 : 0,
        before == null ? Long.MAX_VALUE : QueryNumbers.number(before, "before", 1, Long.MAX_VALUE),
        limit == null ? DEFAULT_PAGE : (int) QueryNumbers.number(limit, "limit", 1, MAX_PAGE));
  }

  /** The answer with a page. {@code next} is the {@code before} of the next page, or null. */
  public Map<String, Object> page(
      @Body List<ShownAudit> rows, @Variable("question") AuditQuestion question) {
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("entries", rows.stream().map(AuditTrail::view).toList());
    page.put("next", rows.size() == question.limit() ? rows.get(rows.size() - 1).id() : null);
    return page;
  }

  private static Map<String, Object> view(ShownAudit row) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", row.id());
    view.put("action", row.action());
    view.put("productId", row.productId());
    view.put("deadLetterId", row.deadLetterId());
    view.put("by", row.operator());
    view.put("from", row.address());
    view.put("detail", json(row.detail()));
    view.put("before", json(row.beforeChange()));
    view.put("after", json(row.afterChange()));
    view.put("at", row.createdAt());
    return view;
  }

  private static JsonNode json(String text) {
    try {
      return text == null ? null : JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("admin_audit holds what is not JSON: " + text, e);
    }
  }

  /** The answer that tells callers who they are. */
  public Map<String, Object> caller(@Variable("operator") Operator operator) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", operator.name());
    view.put("role", operator.role().label());
    return view;
  }
}
