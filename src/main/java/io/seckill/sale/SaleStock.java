package io.seckill.sale;

/**
 * A row of {@code sql/stock-of-sales.sql}: MySQL's stock of a sale.
 *
 * @param count units that no order has taken
 * @param added units that the sale has got until now
 */
record SaleStock(long id, long count, long added, long epoch) {}
