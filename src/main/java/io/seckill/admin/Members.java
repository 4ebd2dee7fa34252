package io.seckill.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.seckill.answer.Refusal;
import java.io.IOException;
import java.util.Iterator;
import java.util.Set;

/** Reads and checks the members of a JSON object that an operator sent. */
public final class Members {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ObjectNode json;

  private Members(ObjectNode json) {
    this.json = json;
  }

  /**
   * Reads a body.
   *
   * @param known the names of members that it may have
   * @param what the thing that it describes, with its article
   * @throws Refusal 400 INVALID_REQUEST
   */
  public static Members of(byte[] body, Set<String> known, String what) {
    ObjectNode json = object(body);
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw invalid(name, "is not a member of " + what);
      }
    }
    return new Members(json);
  }

  private static ObjectNode object(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(body == null ? new byte[0] : body);
    } catch (JsonProcessingException e) {
      throw Refusal.of(400, "INVALID_REQUEST", "The body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Refusal.of(400, "INVALID_REQUEST", "The body is not JSON in UTF-8.");
    }
    if (json instanceof ObjectNode object) {
      return object;
    }
    throw Refusal.of(400, "INVALID_REQUEST", "The body must be a JSON object.");
  }

  /** These members, over those of an object. */
  Members over(ObjectNode object) {
    return new Members(object.setAll(json));
  }

  /** The member as it came; null when it is absent or null. */
  public JsonNode get(String member) {
    JsonNode value = json.get(member);
    return value == null || value.isNull() ? null : value;
  }

  /**
   * An integer.
   *
   * @return null when the member is absent or null
   * @throws Refusal 400 INVALID_REQUEST
   */
  public Long integer(String member, long min, long max) {
    JsonNode value = get(member);
    if (value == null) {
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

  /**
   * Requests a second.
   *
   * @return null when the member is absent or null
   * @throws Refusal 400 INVALID_REQUEST
   */
  Integer rate(String member, long min) {
    Long rate = integer(member, min, SaleTerms.MAX_RATE);
    return rate == null ? null : Integer.valueOf(rate.intValue());
  }

  /** The refusal for a wrong member. */
  public static Refusal invalid(String member, String problem) {
    return Refusal.of(400, "INVALID_REQUEST", "'" + member + "' " + problem + ".")
        .with("member", member);
  }
}
