package io.seckill.admin;

/**
 * A settlement to be written: the parameters of {@code sql/settlement-add.sql}, {@code
 * sql/sale-settle.sql} and {@code sql/stock-ledger-add.sql}. Amounts count units.
 *
 * @param orders SUCCESS orders, not units
 * @param details what does not agree, as JSON; null where all does
 * @param taken what it takes off the stock that MySQL holds
 * @param delta what that stock changes by
 */
public record NewSettlement(
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
    long taken,
    long delta) {}
