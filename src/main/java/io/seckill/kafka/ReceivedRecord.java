package io.seckill.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A record as Kafka delivered it: bytes, not yet read.
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

  /** Where the record lies: {@code topic-partition@offset}. */
  public String origin() {
    return topic + "-" + partition + "@" + offset;
  }

  /**
   * Where and when: {@code topic-partition@offset/milliseconds}. No other record has it, not even
   * one of a topic that was made anew, where offsets begin again.
   */
  public String uniqueOrigin() {
    return origin() + "/" + timestamp;
  }

  /** A header as text, if the record has it. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name))
        .map(value -> new String(value, StandardCharsets.UTF_8));
  }
}
