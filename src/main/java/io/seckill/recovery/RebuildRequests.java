package io.seckill.recovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.answer.Refusal;
import java.io.IOException;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Reads an operator's request for a rebuild or a preview. */
public final class RebuildRequests {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String DRY_RUN = "dryRun";

  private final boolean mysqlHoldsStock;

  /**
   * @param mysqlHoldsStock whether products.count tells which units are left (strategy B)
   */
  public RebuildRequests(boolean mysqlHoldsStock) {
    this.mysqlHoldsStock = mysqlHoldsStock;
  }

  /**
   * Whether the request is for a preview: {@code ?dryRun=true} or the body {@code {"dryRun":
   * true}}.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  public boolean isDryRun(@Variable("dryRunParameter") String parameter, @Body byte[] body) {
    boolean asked = false;
    if (parameter != null && !parameter.isEmpty()) {
      if (!parameter.equals("true") && !parameter.equals("false")) {
        throw invalid("dryRun must be true or false.");
      }
      asked = parameter.equals("true");
    }
    return asked | (body != null && body.length > 0 && isDryRun(body));
  }

  private static boolean isDryRun(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (IOException e) {
      throw invalid("The body is not JSON.");
    }
    if (json.isMissingNode()) {
      return false;
    }
    if (!json.isObject() || json.size() > (json.has(DRY_RUN) ? 1 : 0)) {
      throw invalid("The body may contain {\"dryRun\": true} and nothing else.");
    }
    JsonNode dryRun = json.get(DRY_RUN);
    if (dryRun != null && !dryRun.isBoolean()) {
      throw invalid("dryRun must be true or false.");
    }
    return dryRun != null && dryRun.booleanValue();
  }

  private static Refusal invalid(String detail) {
    return Refusal.of(400, "INVALID_REQUEST", detail);
  }

  /** Begins a rebuild or a preview. */
  public Rebuild begin(@Variable("productId") long productId) {
    return new Rebuild(productId, mysqlHoldsStock);
  }
}
