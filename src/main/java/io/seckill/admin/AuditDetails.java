package io.seckill.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** Writes the detail of an audit row: what was asked for, as JSON. */
public final class AuditDetails {
  private static final JsonMapper JSON = new JsonMapper();

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record OfSale(long productId, SaleTerms terms, Long units, String idemKey) {}

  /**
   * What was asked for a sale.
   *
   * @param terms null where the call was not about them; so are units and idemKey
   */
  public String ofSale(long productId, SaleTerms terms, Long units, String idemKey) {
    return json(new OfSale(productId, terms, units, idemKey));
  }

  /** What was asked for the rates: rows of rate-set.sql. */
  public String ofRates(Object rows) {
    return json(Map.of("rates", rows));
  }

  /** What was asked for a dead letter. */
  public String ofDeadLetter(long id) {
    return json(Map.of("deadLetterId", id));
  }

  private static String json(Object asked) {
    try {
      return JSON.writeValueAsString(asked);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Cannot be written as JSON: " + asked, e);
    }
  }
}
