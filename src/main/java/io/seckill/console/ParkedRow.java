package io.seckill.console;

/**
 * A row of {@code sql/dead-letters-parked.sql}; productId is null for records that are no orders.
 */
public record ParkedRow(Long productId, long parked) {}
