package io.seckill.kafka;

import java.util.Map;

/**
 * A record to send.
 *
 * @param key null for none
 * @param headers by name; their values are sent in UTF-8
 */
public record OutgoingRecord(String key, byte[] value, Map<String, String> headers) {
  /** A record without headers. */
  public OutgoingRecord(String key, byte[] value) {
    this(key, value, Map.of());
  }
}
