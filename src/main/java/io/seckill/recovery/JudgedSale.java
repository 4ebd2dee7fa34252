package io.seckill.recovery;

/**
 * A row of {@code sql/sales-to-judge.sql}.
 *
 * @param settled whether the sale's settlement was written
 */
public record JudgedSale(long productId, long epoch, boolean settled) {}
