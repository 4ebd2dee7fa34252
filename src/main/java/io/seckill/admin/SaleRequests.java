package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.ClientKey;
import io.seckill.domain.PositiveId;
import java.util.Locale;
import java.util.Optional;
import org.apache.camel.Variable;

/** Reads path, headers and bodies of administrative calls. */
public final class SaleRequests {
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";

  /**
   * Reads the product id in a path.
   *
   * @param header a list when the client also sent a header or query parameter of this name
   * @throws Refusal 400 INVALID_REQUEST
   */
  public long productId(Object header) {
    return id("productId", header);
  }

  /** The id in a path, by its name in the path. */
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
   * @throws Refusal 400 INVALID_REQUEST without a key, because the restock and its retry would look
   *     the same
   */
  public String idemKey(@Variable("clientKey") Object header) {
    return Optional.ofNullable(header instanceof String value ? value : null)
        .flatMap(ClientKey::parse)
        .orElseThrow(
            () ->
                Refusals.invalid("A restock needs one Idempotency-Key of " + ClientKey.RULE + "."));
  }

  /**
   * Checks that the content type is JSON.
   *
   * @throws Refusal 415 UNSUPPORTED_MEDIA_TYPE
   */
  public void requireJson(Object contentType) {
    if (!JSON.equals(mediaType(contentType))) {
      throw Refusal.of(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be sent as " + JSON + ".");
    }
  }

  /**
   * Checks that the content type is a JSON merge patch or JSON.
   *
   * @throws Refusal 415 UNSUPPORTED_MEDIA_TYPE
   */
  public void requireMergePatch(Object contentType) {
    String type = mediaType(contentType);
    if (!MERGE_PATCH.equals(type) && !JSON.equals(type)) {
      throw Refusal.of(
          415,
          "UNSUPPORTED_MEDIA_TYPE",
          "The body must be sent as " + MERGE_PATCH + " or " + JSON + ".");
    }
  }

  private static String mediaType(Object contentType) {
    return contentType instanceof String text
        ? text.split(";", 2)[0].strip().toLowerCase(Locale.ROOT)
        : "";
  }

  /** See {@link SaleTerms#parse}. */
  public SaleTerms terms(long productId, byte[] body) {
    return SaleTerms.parse(productId, body);
  }

  /** See {@link SalePatch#parse}. */
  public SalePatch patch(byte[] body) {
    return SalePatch.parse(body);
  }

  /** See {@link SaleTerms#parseUnits}. */
  public long units(byte[] body) {
    return SaleTerms.parseUnits(body);
  }
}
