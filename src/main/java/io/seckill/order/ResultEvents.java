package io.seckill.order;

import io.seckill.domain.Status;
import io.seckill.kafka.CloudEvents;
import io.seckill.kafka.OutgoingRecord;
import java.util.List;

/**
 * Makes an event of each end of a reservation: a CloudEvent 1.0 as a Kafka record in binary mode.
 * Its id is the request id, because a reservation ends once. Stateless.
 */
public final class ResultEvents {
  static final String SUCCESS = "io.seckill.order.success";
  static final String FAILED = "io.seckill.order.failed";

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
    return outcomes.rows().stream().map(ResultEvents::event).toList();
  }

  private static OutgoingRecord event(OrderRow row) {
    return CloudEvents.of(
        row.productId() + "-" + row.userId(),
        row.requestId(),
        row.status() == Status.SUCCESS ? SUCCESS : FAILED,
        row.productId(),
        Result.of(row));
  }
}
