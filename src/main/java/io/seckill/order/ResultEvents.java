package io.seckill.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.seckill.domain.Status;
import io.seckill.kafka.OutgoingRecord;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Makes an event of each end of a reservation: a CloudEvent 1.0 as a Kafka record in binary mode.
 * Its id is the request id, because a reservation ends once. Stateless.
 */
public final class ResultEvents {
  static final String SUCCESS = "io.seckill.order.success";
  static final String FAILED = "io.seckill.order.failed";

  private static final String SOURCE = "/seckill";

  private final ObjectWriter json =
      JsonMapper.builder()
          .serializationInclusion(JsonInclude.Include.NON_NULL)
          .build()
          .writerFor(Result.class);

  /**
   * The data of an event.
   *
   * @param idemKey the client's key
   * @param orderId null for a reservation that failed
   * @param reason null unless there is one
   * @param reservedAt epoch milliseconds of Redis's clock; null when unknown
   */
  record Result(
      String requestId,
      String idemKey,
      long productId,
      long userId,
      int quantity,
      Status status,
      Long orderId,
      String reason,
      Long reservedAt) {
    static Result of(OrderRow row) {
      boolean success = row.status() == Status.SUCCESS;
      long reservedAt = row.reservedAtMillis();
      return new Result(
          row.requestId(),
          row.clientKey(),
          row.productId(),
          row.userId(),
          row.quantity(),
          row.status(),
          success ? row.id() : null,
          row.reason(),
          reservedAt == 0 ? null : reservedAt);
    }
  }

  /** One record for each row, keyed by product and user. */
  public List<OutgoingRecord> of(Outcomes outcomes) {
    return outcomes.rows().stream().map(this::event).toList();
  }

  private OutgoingRecord event(OrderRow row) {
    return new OutgoingRecord(
        row.productId() + "-" + row.userId(),
        data(row),
        Map.of(
            "ce_specversion",
            "1.0",
            "ce_id",
            row.requestId(),
            "ce_source",
            SOURCE,
            "ce_type",
            row.status() == Status.SUCCESS ? SUCCESS : FAILED,
            "ce_subject",
            Long.toString(row.productId()),
            "content-type",
            "application/json"));
  }

  private byte[] data(OrderRow row) {
    try {
      return json.writeValueAsBytes(Result.of(row));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
