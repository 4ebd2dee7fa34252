package io.seckill.sale;

/**
 * A row of {@code sql/sales.sql} or {@code sql/sale.sql}.
 *
 * @param settled whether the sale is settled; Redis then has nothing of it
 */
public record SaleRow(Sale sale, boolean settled) {}
