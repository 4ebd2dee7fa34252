package io.seckill.order;

import io.seckill.domain.Status;

/**
 * A row of {@code sql/find-orders.sql}.
 *
 * @param id the order id for buyers
 * @param idemKey {@code productId:userId:clientKey}
 * @param attempt the transaction attempt that inserted the row
 * @param outboxId id of the outbox entry; its milliseconds are the time of the reservation
 */
public record OrderRow(
    long id,
    String requestId,
    long productId,
    long userId,
    int quantity,
    String idemKey,
    Status status,
    String reason,
    String attempt,
    String outboxId) {

  /** Time of the reservation by Redis's clock; 0 when unknown. */
  public long reservedAtMillis() {
    int end = outboxId == null ? -1 : outboxId.indexOf('-');
    return end < 0 ? 0 : Long.parseLong(outboxId.substring(0, end));
  }

  /** The client's part of the key. */
  public String clientKey() {
    return idemKey.substring(idemKey.indexOf(':', idemKey.indexOf(':') + 1) + 1);
  }
}
