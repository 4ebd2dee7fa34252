package io.seckill.admin;

/**
 * A settlement to write: the parameters of {@code sql/settlement-add.sql}, {@code
 * sql/sale-settle.sql} and {@code sql/stock-ledger-add.sql}. Amounts count units.
 *
 * @param orders SUCCESS orders, not units
 * @param details the differences, as JSON; null for none
 * @param taken units that it takes from MySQL's stock
 * @param delta change of that stock
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
