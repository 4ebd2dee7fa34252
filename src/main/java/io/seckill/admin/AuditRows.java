package io.seckill.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.http.Operator;
import io.seckill.rate.RateSetting;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Variable;

/** Makes the audit rows of administrative calls. Variables are null where a call has none. */
public final class AuditRows {
  private static final JsonMapper JSON = new JsonMapper();

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record OfSale(long productId, SaleTerms terms, Long units, String idemKey) {}

  private record State(
      String name,
      long stock,
      long restocked,
      int maxQuantity,
      Long startsAt,
      Long endsAt,
      Integer ratePerSecond,
      Long activityId,
      Sale.State state,
      long epoch,
      boolean settled) {}

  /**
   * The row of a call on a sale.
   *
   * @param sale the sale before the change; one without a name is a row that the call itself made
   * @param changed the sale since
   */
  public AuditRow ofSale(
      @Variable("action") String action,
      @Variable("operator") Operator operator,
      @Variable("productId") Long productId,
      @Variable("terms") SaleTerms terms,
      @Variable("units") Long units,
      @Variable("idemKey") String idemKey,
      @Variable("sale") StoredSale sale,
      @Variable("changed") StoredSale changed) {
    return AuditRow.of(
        action,
        operator,
        productId,
        null,
        json(new OfSale(productId, terms, units, idemKey)),
        state(sale),
        state(changed));
  }

  private static String state(StoredSale stored) {
    if (stored == null || stored.sale().name().isEmpty()) {
      return null;
    }
    Sale sale = stored.sale();
    return json(
        new State(
            sale.name(),
            sale.stock(),
            sale.restocked(),
            sale.maxQuantity(),
            sale.startsAt(),
            sale.endsAt(),
            sale.ratePerSecond(),
            sale.activityId(),
            sale.state(),
            sale.epoch(),
            stored.settled()));
  }

  /**
   * The row of a change of rates.
   *
   * @param rates rows of rate-set.sql
   * @param before all rates before the change
   */
  public AuditRow ofRates(
      @Variable("action") String action,
      @Variable("operator") Operator operator,
      @Variable("rates") List<RateSetting> rates,
      @Variable("ratesBefore") List<RateSetting> before) {
    Map<String, Integer> was = new LinkedHashMap<>();
    Map<String, Integer> is = new LinkedHashMap<>();
    for (RateSetting rate : rates) {
      was.put(subject(rate), null);
      is.put(subject(rate), rate.ratePerSecond());
    }
    for (RateSetting rate : before) {
      if (was.containsKey(subject(rate))) {
        was.put(subject(rate), rate.ratePerSecond());
      }
    }
    return AuditRow.of(
        action, operator, null, null, json(Map.of("rates", rates)), json(was), json(is));
  }

  private static String subject(RateSetting rate) {
    return rate.subjectId() == 0 ? rate.scope() : rate.scope() + " " + rate.subjectId();
  }

  /**
   * The row of a call on a dead letter. What became of it is not known yet.
   *
   * @param found the dead letter; null when there is none of this id
   */
  public AuditRow ofDeadLetter(
      @Variable("action") String action,
      @Variable("operator") Operator operator,
      @Variable("deadLetterId") Long id,
      @Variable("found") ShownDeadLetter found) {
    return AuditRow.of(
        action,
        operator,
        found == null ? null : found.productId(),
        id,
        json(Map.of("deadLetterId", id)),
        found == null ? null : json(Map.of("state", found.state())),
        null);
  }

  /**
   * The row of a call on a webhook, or of a webhook that the application switched off.
   *
   * @param before the webhook before the change; null when there was none
   * @param after the webhook since; null when there is none
   */
  public AuditRow ofWebhook(
      @Variable("action") String action,
      @Variable("operator") Operator operator,
      @Variable("webhookId") Long id,
      @Variable("webhookBefore") Map<String, Object> before,
      @Variable("webhookAfter") Map<String, Object> after) {
    return AuditRow.of(
        action,
        operator,
        null,
        null,
        json(Map.of("webhookId", id)),
        before == null ? null : json(before),
        after == null ? null : json(after));
  }

  /** The row of an operation on an MBean. */
  public AuditRow ofOperation(
      @Variable("operator") Operator operator,
      @Variable("mbean") String mbean,
      @Variable("operation") String operation,
      @Variable("arguments") List<?> arguments) {
    return AuditRow.of(
        "JMX",
        operator,
        null,
        null,
        json(Map.of("mbean", mbean, "operation", operation, "arguments", arguments)),
        null,
        null);
  }

  /** The parameters of admin-audit-after.sql, from the dead letter as it is now. */
  public AuditRow handled(
      @Variable("deadLetterId") Long id, @Variable("shown") ShownDeadLetter now) {
    return AuditRow.of(
        null, null, null, id, null, null, now == null ? null : json(Map.of("state", now.state())));
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Cannot be written as JSON: " + value, e);
    }
  }
}
