package io.seckill.sale;

import java.util.Map;

/**
 * A row of {@code sql/sales.sql} or {@code sql/sale.sql}.
 *
 * @param settled whether the sale is settled; Redis then has nothing of it
 */
public record SaleRow(Sale sale, boolean settled) {

  /**
   * Reads a row of camel-sql.
   *
   * @throws RuntimeException when a column is missing or has another type, because the statement is
   *     wrong
   */
  public static SaleRow of(Map<String, Object> row) {
    return new SaleRow(
        new Sale(
            number(row, "product_id"),
            (String) row.get("name"),
            number(row, "initial_stock"),
            number(row, "restocked"),
            Math.toIntExact(number(row, "max_quantity")),
            optional(row, "starts_at"),
            optional(row, "ends_at"),
            row.get("rate_per_second") == null
                ? null
                : Integer.valueOf(Math.toIntExact(number(row, "rate_per_second"))),
            optional(row, "activity_id"),
            Sale.State.valueOf((String) row.get("state")),
            number(row, "epoch"),
            number(row, "preheated") != 0),
        number(row, "settled") != 0);
  }

  private static Long optional(Map<String, Object> row, String column) {
    return row.get(column) == null ? null : Long.valueOf(number(row, column));
  }

  private static long number(Map<String, Object> row, String column) {
    Object value = row.get(column);
    if (value instanceof Boolean flag) {
      return flag ? 1 : 0;
    }
    return ((Number) value).longValue();
  }
}
