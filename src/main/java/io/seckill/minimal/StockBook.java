package io.seckill.minimal;

import io.seckill.sale.Sale;

/**
 * A row of {@code sql/stock-book.sql}: a sale's units in MySQL.
 *
 * @param count units that no order has taken
 * @param sold units of its orders
 * @param orders orders and tombstones
 */
public record StockBook(Sale sale, long count, long sold, long orders) {}
