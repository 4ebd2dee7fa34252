package io.seckill.answer;

import java.nio.charset.StandardCharsets;

/** Builds the text of one flat JSON object, member by member, in order. */
public final class JsonObject {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private final StringBuilder text = new StringBuilder(192).append('{');

  /** Adds a text; null becomes JSON's null. */
  public JsonObject put(String name, String value) {
    name(name);
    if (value == null) {
      text.append("null");
    } else {
      quote(value);
    }
    return this;
  }

  public JsonObject put(String name, long value) {
    name(name);
    text.append(value);
    return this;
  }

  /**
   * Adds a number, a truth value or, of any other type, the value's text; null becomes JSON's null.
   */
  public JsonObject put(String name, Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return put(name, ((Number) value).longValue());
    }
    if (value instanceof Boolean) {
      name(name);
      text.append(value);
      return this;
    }
    return put(name, value == null ? null : value.toString());
  }

  /** The object so far, closed. */
  @Override
  public String toString() {
    return text + "}";
  }

  /** The object so far, closed, in UTF-8. */
  public byte[] toBytes() {
    return toString().getBytes(StandardCharsets.UTF_8);
  }

  private void name(String name) {
    if (text.length() > 1) {
      text.append(',');
    }
    quote(name);
    text.append(':');
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < 0x20) {
        text.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
