package io.seckill.answer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One HTTP response, before it is put on a message.
 *
 * @param headers further response headers, without Content-Type and Content-Length
 * @param body UTF-8; shared between responses, so never written to
 */
public record Answer(int status, String contentType, Map<String, String> headers, byte[] body) {
  private static final String JSON = "application/json";

  /** An answer in JSON without further headers. */
  public static Answer json(int status, byte[] body) {
    return new Answer(status, JSON, Map.of(), body);
  }

  /** The same answer with one more header. */
  public Answer with(String name, String value) {
    Map<String, String> extended = new LinkedHashMap<>(headers);
    extended.put(name, value);
    return new Answer(status, contentType, extended, body);
  }
}
