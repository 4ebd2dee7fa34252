package io.seckill.order;

/**
 * An order that stays SUCCESS. A team's own statements name its components: {@code :#orderId} and
 * so on.
 */
public record WrittenOrder(
    long orderId, String requestId, long productId, long userId, int quantity) {}
