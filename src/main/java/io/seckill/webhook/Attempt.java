package io.seckill.webhook;

/**
 * What came of one try: the parameters of {@code sql/webhook-attempt.sql}.
 *
 * @param id of the delivery
 * @param leaseUntil of the claim
 * @param answerCode status of the HTTP answer; null when none came
 * @param answer what happened, in words
 * @param tookMs from the first step to the answer, in milliseconds
 * @param pauseMs until the next try, in milliseconds; null when there is none
 */
public record Attempt(
    long id,
    long webhookId,
    long leaseUntil,
    DeliveryState state,
    Integer answerCode,
    String answer,
    long tookMs,
    Long pauseMs) {
  private static final int GONE = 410;

  /** Whether the endpoint wants no more events for ever. */
  public boolean isGone() {
    return answerCode != null && answerCode == GONE;
  }
}
