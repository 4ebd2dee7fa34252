package io.seckill.sale;

/**
 * A sale in MySQL (table {@code products}). Times are epoch milliseconds; null means no limit.
 *
 * @param stock initial units, without restocks
 * @param ratePerSecond null for the property {@code seckill.throttle.product-rate}
 * @param activityId the activity whose sales share a rate; null for none
 * @param state the state that an operator set; the book judges the window
 * @param epoch raised by each adoption and each rebuild of the book
 * @param preheated whether Redis once had a book, so that a missing book was lost
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
