package io.seckill.order;

import io.seckill.domain.OrderRecord;
import io.seckill.domain.Status;

/**
 * A row to insert: the parameters of {@code sql/insert-new-orders.sql} and {@code
 * sql/insert-orders.sql}.
 *
 * @param idemKey the key with product and user
 * @param reason null for an order
 * @param createdAt epoch milliseconds
 */
public record NewOrderRow(
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

  static NewOrderRow of(OrderRecord order, Status status, String reason, long createdAt) {
    return new NewOrderRow(
        order.requestId(),
        order.productId(),
        order.userId(),
        order.quantity(),
        order.scopedIdemKey(),
        status,
        reason,
        order.epoch(),
        order.outboxId(),
        createdAt);
  }

  /** This row as MySQL has it. */
  OrderRow written(long id, String attempt) {
    return new OrderRow(
        id, requestId, productId, userId, quantity, idemKey, status, reason, attempt, outboxId);
  }
}
