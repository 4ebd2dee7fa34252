package io.seckill.api;

import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.order.OrderRow;

/**
 * A row of {@code sql/order-by-request.sql} or {@code sql/orders-by-key.sql}.
 *
 * @param idemKey the key with product and user: {@code productId:userId:clientKey}
 */
record FoundOrder(
    long id,
    String requestId,
    long productId,
    int quantity,
    String idemKey,
    Status status,
    String reason) {

  /** The row as the scripts of books take it. */
  OrderRow asRow() {
    long userId = RequestId.parse(requestId).orElseThrow().userId();
    return new OrderRow(
        id, requestId, productId, userId, quantity, idemKey, status, reason, null, null);
  }

  /** The id of the order; null when it is not one. */
  Long orderId() {
    return status == Status.SUCCESS ? id : null;
  }

  /** The client's part of the key. */
  String clientKey() {
    return idemKey.substring(idemKey.indexOf(':', idemKey.indexOf(':') + 1) + 1);
  }
}
