package io.seckill.sale;

/**
 * A row of {@code sql/milestones-settled.sql}: a sale whose settlement other systems were not told.
 *
 * @param left units that nobody bought
 */
public record SettledSale(Sale sale, long left) {}
