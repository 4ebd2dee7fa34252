package io.seckill.sale;

/**
 * What MySQL says of a sale (table {@code products}). Times are epoch milliseconds, null when the
 * window is open on that side.
 *
 * @param stock units at the start, without restocks
 * @param ratePerSecond null: the property {@code seckill.throttle.product-rate}
 * @param activityId the activity it belongs to, whose sales share a rate; null: none
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

  public enum State {
    OPEN,
    PAUSED,
    ENDED
  }
}
