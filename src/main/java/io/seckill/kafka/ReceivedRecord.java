package io.seckill.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A record as Kafka delivered it: unparsed bytes.
 *
 * @param timestamp when it was sent, epoch milliseconds
 * @param value empty for a record without a value
 * @param headers the record's own headers
 */
public record ReceivedRecord(
    String topic,
    int partition,
    long offset,
    long timestamp,
    byte[] value,
    Map<String, byte[]> headers) {

  /** The record's position: {@code topic-partition@offset}. */
  public String origin() {
    return topic + "-" + partition + "@" + offset;
  }

  /**
   * Position and time: {@code topic-partition@offset/milliseconds}. It is unique even when the
   * topic was deleted and created again, so that offsets repeat.
   */
  public String uniqueOrigin() {
    return origin() + "/" + timestamp;
  }

  /** A header as text; empty when the record lacks it. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name))
        .map(value -> new String(value, StandardCharsets.UTF_8));
  }
}
