package io.seckill.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** Writes the detail of an audit row: the request, as JSON. */
public final class AuditDetails {
  private static final JsonMapper JSON = new JsonMapper();

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record OfSale(long productId, SaleTerms terms, Long units, String idemKey) {}

  /** The detail of a call on a sale. Terms, units and idemKey are null when the call has none. */
  public String ofSale(long productId, SaleTerms terms, Long units, String idemKey) {
    return json(new OfSale(productId, terms, units, idemKey));
  }

  /** The detail of a change of rates: rows of rate-set.sql. */
  public String ofRates(Object rows) {
    return json(Map.of("rates", rows));
  }

  /** The detail of a call on a dead letter. */
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
