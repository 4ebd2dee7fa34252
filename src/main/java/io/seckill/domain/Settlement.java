package io.seckill.domain;

/**
 * What was written down when a sale was settled: a row of {@code sql/settlement-find.sql}. Amounts
 * count units.
 *
 * @param orders SUCCESS orders, not units
 * @param units of these orders
 * @param discrepancy units less sold
 * @param details what did not agree, as JSON; null where all did
 * @param settledAt epoch milliseconds
 */
public record Settlement(
    long productId,
    long initial,
    long restocked,
    long sold,
    long writtenOff,
    long released,
    long orders,
    long units,
    long discrepancy,
    String details,
    long settledAt) {}
