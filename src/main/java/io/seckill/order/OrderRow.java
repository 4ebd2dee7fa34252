package io.seckill.order;

import io.seckill.domain.Status;
import java.util.Map;

/**
 * The columns of a row of seckill_orders that the writer needs.
 *
 * @param id the order id for buyers
 * @param attempt the transaction attempt that inserted the row
 * @param outboxId id of the outbox entry; its milliseconds are the time of the reservation
 */
public record OrderRow(
    long id,
    String requestId,
    long productId,
    long userId,
    int quantity,
    Status status,
    String reason,
    String attempt,
    String outboxId) {

  /** Time of the reservation by Redis's clock; 0 when unknown. */
  public long reservedAtMillis() {
    int end = outboxId == null ? -1 : outboxId.indexOf('-');
    return end < 0 ? 0 : Long.parseLong(outboxId.substring(0, end));
  }

  /** Reads a row of {@code sql/find-orders.sql}. */
  static OrderRow of(Map<String, Object> columns) {
    return new OrderRow(
        ((Number) columns.get("id")).longValue(),
        (String) columns.get("request_id"),
        ((Number) columns.get("product_id")).longValue(),
        ((Number) columns.get("user_id")).longValue(),
        ((Number) columns.get("quantity")).intValue(),
        Status.valueOf((String) columns.get("status")),
        (String) columns.get("reason"),
        (String) columns.get("attempt"),
        (String) columns.get("outbox_id"));
  }
}
