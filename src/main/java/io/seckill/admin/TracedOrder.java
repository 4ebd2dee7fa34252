package io.seckill.admin;

import io.seckill.domain.Status;

/**
 * A row of {@code sql/orders-to-trace.sql}.
 *
 * @param idemKey {@code productId:userId:clientKey}
 * @param outboxId null where the order came by no outbox
 * @param createdAt epoch milliseconds
 */
public record TracedOrder(
    long id,
    String requestId,
    long productId,
    long userId,
    int quantity,
    String idemKey,
    Status status,
    String reason,
    long epoch,
    String outboxId,
    long createdAt) {

  /** The client's key, without product and user. */
  String clientKey() {
    return idemKey.split(":", 3)[2];
  }
}
