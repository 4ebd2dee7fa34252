package io.seckill.admin;

/**
 * Which orders to trace: the parameters of {@code sql/orders-to-trace.sql}. Members that the
 * question does not name are null.
 */
public record OrderQuestion(String requestId, Long orderId, Long productId, Long userId) {}
