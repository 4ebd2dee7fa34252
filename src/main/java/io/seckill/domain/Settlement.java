package io.seckill.domain;

/**
 * The settlement of a sale: a row of {@code sql/settlement-find.sql}. Amounts count units.
 *
 * @param orders SUCCESS orders, not units
 * @param units of these orders
 * @param discrepancy units less sold
 * @param details the differences, as JSON; null for none
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
