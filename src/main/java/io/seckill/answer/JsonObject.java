package io.seckill.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes one flat JSON object, member by member, in order. Use each instance once. */
public final class JsonObject {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int USUAL_LENGTH = 192;

  private final ByteArrayBuilder bytes = new ByteArrayBuilder(null, USUAL_LENGTH);
  private final JsonGenerator json;

  public JsonObject() {
    try {
      json = JSON.createGenerator(bytes);
      json.writeStartObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a text; null becomes JSON's null. */
  public JsonObject put(String name, String value) {
    try {
      json.writeStringField(name, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public JsonObject put(String name, long value) {
    try {
      json.writeNumberField(name, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /**
   * Adds a number or a boolean, or the text of a value of another type; null becomes JSON's null.
   */
  public JsonObject put(String name, Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return put(name, ((Number) value).longValue());
    }
    if (value instanceof Boolean truth) {
      try {
        json.writeBooleanField(name, truth);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return this;
    }
    return put(name, value == null ? null : value.toString());
  }

  /** Closes the object and returns it in UTF-8. */
  public byte[] toBytes() {
    try {
      json.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Closes the object and returns it. */
  @Override
  public String toString() {
    return new String(toBytes(), StandardCharsets.UTF_8);
  }
}
