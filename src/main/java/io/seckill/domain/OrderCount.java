package io.seckill.domain;

/**
 * The orders of a sale in MySQL: a row of {@code sql/orders-of-sale.sql}.
 *
 * @param units of its SUCCESS rows: C of the invariants
 * @param success orders
 * @param failed tombstones
 */
public record OrderCount(long units, long success, long failed) {}
