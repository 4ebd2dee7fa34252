package io.seckill.webhook;

/**
 * An endpoint with deliveries that are due: a row of {@code sql/webhook-due.sql}.
 *
 * @param lateMs how long the oldest of them has been due, in milliseconds
 */
public record DueEndpoint(long id, long lateMs) {}
