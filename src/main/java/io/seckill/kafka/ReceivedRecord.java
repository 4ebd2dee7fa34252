package io.seckill.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A record as Kafka delivered it: bytes, not yet read.
 *
 * @param value empty for a record without a value
 * @param headers the record's own headers
 */
public record ReceivedRecord(
    String topic, int partition, long offset, byte[] value, Map<String, byte[]> headers) {

  /** Where the record lies: {@code topic-partition@offset}. */
  public String origin() {
    return topic + "-" + partition + "@" + offset;
  }

  /** A header as text, if the record has it. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name))
        .map(value -> new String(value, StandardCharsets.UTF_8));
  }
}
