package io.seckill.admin;

/** A row of {@code sql/success-orders-page.sql}. */
public record SuccessOrder(long id, String requestId, long userId, long quantity) {}
