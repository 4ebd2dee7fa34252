package io.seckill.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.answer.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Set;

/**
 * The validated terms of a sale: the body of {@code PUT /admin/sales/{productId}}, or the present
 * terms with a {@link SalePatch}.
 *
 * @param stock units to sell, 0 to {@link #MAX_STOCK}
 * @param maxQuantity units one purchase may take, at least 1
 * @param startsAt epoch milliseconds; null to open at once
 * @param endsAt epoch milliseconds, after startsAt; null for no end
 * @param ratePerSecond requests a second for the product; null for the configured default
 * @param activityId the activity whose sales share a rate, a positive BIGINT; null for none
 */
public record SaleTerms(
    long productId,
    String name,
    long stock,
    int maxQuantity,
    Long startsAt,
    Long endsAt,
    Integer ratePerSecond,
    Long activityId) {

  /** Keeps sums of units exact in the book's numbers (Lua has exact integers up to 2^53). */
  public static final long MAX_STOCK = 1_000_000_000L;

  public static final int MAX_QUANTITY = 1_000_000;
  public static final int MAX_RATE = 10_000_000;
  public static final int MAX_NAME = 200;

  /** The members that a body may have. */
  static final Set<String> MEMBERS =
      Set.of("name", "stock", "maxQuantity", "startsAt", "endsAt", "ratePerSecond", "activityId");

  /**
   * Reads the body of a request.
   *
   * @throws Refusal 400 INVALID_REQUEST that names the first wrong member
   */
  public static SaleTerms parse(long productId, byte[] body) {
    return of(productId, Members.of(body, MEMBERS, "a sale"));
  }

  /** Reads the members of terms; see {@link #parse}. */
  static SaleTerms of(long productId, Members json) {
    Long startsAt = instant(json, "startsAt");
    Long endsAt = instant(json, "endsAt");
    if (startsAt != null && endsAt != null && endsAt <= startsAt) {
      throw Members.invalid("endsAt", "must be after startsAt");
    }
    Long stock = json.integer("stock", 0, MAX_STOCK);
    if (stock == null) {
      throw Members.invalid("stock", "is required");
    }
    Long maxQuantity = json.integer("maxQuantity", 1, MAX_QUANTITY);
    return new SaleTerms(
        productId,
        name(json),
        stock,
        maxQuantity == null ? 1 : maxQuantity.intValue(),
        startsAt,
        endsAt,
        json.rate("ratePerSecond", 1),
        json.integer("activityId", 1, Long.MAX_VALUE));
  }

  /**
   * Reads {@code {"units": n}}, the body of a restock.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  public static long parseUnits(byte[] body) {
    Members json = Members.of(body, Set.of("units"), "a restock");
    Long units = json.integer("units", 1, MAX_STOCK);
    if (units == null) {
      throw Members.invalid("units", "is required");
    }
    return units;
  }

  private static String name(Members json) {
    JsonNode name = json.get("name");
    if (name == null || !name.isTextual() || name.textValue().isBlank()) {
      throw Members.invalid("name", "is required and must be a text");
    }
    String text = name.textValue().strip();
    if (text.codePointCount(0, text.length()) > MAX_NAME) {
      throw Members.invalid("name", "must have at most " + MAX_NAME + " characters");
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw Members.invalid("name", "must not contain control characters");
    }
    return text;
  }

  private static Long instant(Members json, String member) {
    JsonNode value = json.get(member);
    if (value == null) {
      return null;
    }
    try {
      if (value.isTextual()) {
        Instant instant = OffsetDateTime.parse(value.textValue()).toInstant();
        if (instant.toEpochMilli() > 0 && instant.isBefore(Instant.parse("9999-12-31T23:59:59Z"))) {
          return instant.toEpochMilli();
        }
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw Members.invalid(member, ISO);
    }
    throw Members.invalid(member, ISO);
  }

  private static final String ISO =
      "must be an ISO-8601 instant with its offset, such as 2026-11-11T00:00:00+08:00";
}
