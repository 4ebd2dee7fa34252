package io.seckill.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.http.Refusal;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Iterator;
import java.util.Set;

/**
 * What an operator asks a sale to be: the body of {@code PUT /admin/sales/{productId}}, validated.
 *
 * @param stock units to sell, 0 to {@link #MAX_STOCK}
 * @param maxQuantity units one purchase may take, at least 1
 * @param startsAt epoch milliseconds; null: open from now on
 * @param endsAt epoch milliseconds, after startsAt; null: open until ended
 * @param ratePerSecond requests a second let in for the product; null: the configured default
 */
public record SaleTerms(
    long productId,
    String name,
    long stock,
    int maxQuantity,
    Long startsAt,
    Long endsAt,
    Integer ratePerSecond) {

  /** Sums of units stay exact in the book's numbers (Lua holds integers up to 2^53). */
  public static final long MAX_STOCK = 1_000_000_000L;

  public static final int MAX_QUANTITY = 1_000_000;
  public static final int MAX_RATE = 10_000_000;
  public static final int MAX_NAME = 200;

  private static final Set<String> MEMBERS =
      Set.of("name", "stock", "maxQuantity", "startsAt", "endsAt", "ratePerSecond");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * Reads the body of a request.
   *
   * @throws Refusal 400 INVALID_REQUEST that names the first member that is wrong
   */
  public static SaleTerms parse(long productId, byte[] body) {
    JsonNode json = object(body);
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!MEMBERS.contains(name)) {
        throw invalid(name, "is not a member of a sale");
      }
    }
    Long startsAt = instant(json, "startsAt");
    Long endsAt = instant(json, "endsAt");
    if (startsAt != null && endsAt != null && endsAt <= startsAt) {
      throw invalid("endsAt", "must be after startsAt");
    }
    Long stock = integer(json, "stock", 0, MAX_STOCK);
    if (stock == null) {
      throw invalid("stock", "is required");
    }
    Long maxQuantity = integer(json, "maxQuantity", 1, MAX_QUANTITY);
    Long rate = integer(json, "ratePerSecond", 1, MAX_RATE);
    return new SaleTerms(
        productId,
        name(json),
        stock,
        maxQuantity == null ? 1 : maxQuantity.intValue(),
        startsAt,
        endsAt,
        rate == null ? null : rate.intValue());
  }

  /**
   * Reads {@code {"units": n}}, the body of a restock.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  public static long parseUnits(byte[] body) {
    JsonNode json = object(body);
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!name.equals("units")) {
        throw invalid(name, "is not a member of a restock");
      }
    }
    Long units = integer(json, "units", 1, MAX_STOCK);
    if (units == null) {
      throw invalid("units", "is required");
    }
    return units;
  }

  private static JsonNode object(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(body == null ? new byte[0] : body);
    } catch (JsonProcessingException e) {
      throw Refusal.of(400, "INVALID_REQUEST", "The body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Refusal.of(400, "INVALID_REQUEST", "The body is not JSON in UTF-8.");
    }
    if (json == null || !json.isObject()) {
      throw Refusal.of(400, "INVALID_REQUEST", "The body must be a JSON object.");
    }
    return json;
  }

  private static String name(JsonNode json) {
    JsonNode name = json.get("name");
    if (name == null || !name.isTextual() || name.textValue().isBlank()) {
      throw invalid("name", "is required and must be a text");
    }
    String text = name.textValue().strip();
    if (text.codePointCount(0, text.length()) > MAX_NAME) {
      throw invalid("name", "must have at most " + MAX_NAME + " characters");
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw invalid("name", "must not hold control characters");
    }
    return text;
  }

  private static Long integer(JsonNode json, String member, long min, long max) {
    JsonNode value = json.get(member);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw invalid(member, "must be an integer");
    }
    long number = value.longValue();
    if (number < min || number > max) {
      throw invalid(member, "must be from " + min + " to " + max);
    }
    return number;
  }

  private static Long instant(JsonNode json, String member) {
    JsonNode value = json.get(member);
    if (value == null || value.isNull()) {
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
      throw invalid(member, ISO);
    }
    throw invalid(member, ISO);
  }

  private static final String ISO =
      "must be an ISO-8601 instant with its offset, such as 2026-11-11T00:00:00+08:00";

  private static Refusal invalid(String member, String problem) {
    return Refusal.of(400, "INVALID_REQUEST", "'" + member + "' " + problem + ".")
        .with("member", member);
  }
}
