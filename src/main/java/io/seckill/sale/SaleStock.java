package io.seckill.sale;

/**
 * A row of {@code sql/stock-of-sales.sql}: what MySQL holds of a sale.
 *
 * @param count units that no order has taken
 * @param added units that the sale was given until now
 */
record SaleStock(long id, long count, long added, long epoch) {}
