package io.seckill.admin;

import io.seckill.sale.Sale;

/**
 * A row of {@code sql/admin-sales.sql}.
 *
 * @param settledAt epoch milliseconds; null when not settled
 */
public record ListedSale(Sale sale, Long settledAt) {}
