package io.seckill.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.seckill.answer.Refusal;
import io.seckill.sale.Sale;
import java.time.Instant;

/**
 * A change of some terms of a sale: the body of {@code PATCH /admin/sales/{productId}}, a JSON
 * merge patch (RFC 7396). Absent members stay as they are; null clears a member.
 */
public final class SalePatch {
  private final Members members;

  private SalePatch(Members members) {
    this.members = members;
  }

  /**
   * Reads the body of a request.
   *
   * @throws Refusal 400 INVALID_REQUEST when it is not an object, or has an unknown member
   */
  public static SalePatch parse(byte[] body) {
    return new SalePatch(Members.of(body, SaleTerms.MEMBERS, "a sale"));
  }

  /**
   * The terms of a sale with this change.
   *
   * @throws Refusal 400 INVALID_REQUEST that names the first wrong member
   */
  public SaleTerms applyTo(Sale sale) {
    ObjectNode terms = JsonNodeFactory.instance.objectNode();
    terms.put("name", sale.name());
    terms.put("stock", sale.stock());
    terms.put("maxQuantity", sale.maxQuantity());
    terms.put("startsAt", instant(sale.startsAt()));
    terms.put("endsAt", instant(sale.endsAt()));
    terms.put("ratePerSecond", sale.ratePerSecond());
    terms.put("activityId", sale.activityId());
    return SaleTerms.of(sale.productId(), members.over(terms));
  }

  private static String instant(Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis).toString();
  }
}
