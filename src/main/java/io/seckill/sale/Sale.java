package io.seckill.sale;

import java.util.Map;

/**
 * What MySQL says of a sale (table {@code products}). Times are epoch milliseconds, null when the
 * window is open on that side.
 *
 * @param stock units at the start, without restocks
 * @param ratePerSecond null: the property {@code seckill.throttle.product-rate}
 * @param state the state an operator gave it; whether the window is open is the book's judgement
 * @param epoch raised by each rebuild
 * @param preheated whether a book was written to Redis once, so that a missing one is a loss
 */
public record Sale(
    long productId,
    String name,
    long stock,
    long restocked,
    int maxQuantity,
    Long startsAt,
    Long endsAt,
    Integer ratePerSecond,
    Long activityId,
    State state,
    long epoch,
    boolean preheated) {

  /** The state an operator gave a sale. */
  public enum State {
    OPEN,
    PAUSED,
    ENDED
  }

  /**
   * Reads a row of a statement on {@code products}.
   *
   * @param row columns as in the table, in lower case, but product_id for id
   */
  public static Sale of(Map<String, ?> row) {
    return new Sale(
        number(row, "product_id"),
        (String) row.get("name"),
        number(row, "initial_stock"),
        number(row, "restocked"),
        Math.toIntExact(number(row, "max_quantity")),
        optional(row, "starts_at"),
        optional(row, "ends_at"),
        row.get("rate_per_second") == null ? null : Math.toIntExact(number(row, "rate_per_second")),
        optional(row, "activity_id"),
        State.valueOf((String) row.get("state")),
        number(row, "epoch"),
        flag(row.get("preheated")));
  }

  private static long number(Map<String, ?> row, String column) {
    return ((Number) row.get(column)).longValue();
  }

  private static Long optional(Map<String, ?> row, String column) {
    return row.get(column) == null ? null : Long.valueOf(number(row, column));
  }

  /** TINYINT(1) comes as a Boolean or as a number, by the driver's settings. */
  private static boolean flag(Object value) {
    return value instanceof Boolean flag ? flag : ((Number) value).intValue() != 0;
  }
}
