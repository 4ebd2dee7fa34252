package io.seckill.api;

import io.seckill.domain.Status;

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

  /** The id of the order; null when it is not one. */
  Long orderId() {
    return status == Status.SUCCESS ? id : null;
  }

  /** The client's part of the key. */
  String clientKey() {
    return idemKey.substring(idemKey.indexOf(':', idemKey.indexOf(':') + 1) + 1);
  }
}
