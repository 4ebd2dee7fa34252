package io.seckill.kafka;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;
import java.util.Map;

/** Makes CloudEvents 1.0 as Kafka records in binary mode, with JSON data. */
public final class CloudEvents {
  private static final String SOURCE = "/seckill";

  private static final JsonMapper JSON =
      JsonMapper.builder().serializationInclusion(JsonInclude.Include.NON_NULL).build();

  private CloudEvents() {}

  /**
   * One event.
   *
   * @param key of the record
   * @param id the same whenever the event is sent again
   * @param data written as JSON, without members that are null
   */
  public static OutgoingRecord of(String key, String id, String type, long productId, Object data) {
    return new OutgoingRecord(
        key,
        json(data),
        Map.of(
            "ce_specversion",
            "1.0",
            "ce_id",
            id,
            "ce_source",
            SOURCE,
            "ce_type",
            type,
            "ce_subject",
            Long.toString(productId),
            "content-type",
            "application/json"));
  }

  private static byte[] json(Object data) {
    try {
      return JSON.writeValueAsBytes(data);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
