package io.seckill.webhook;

/**
 * A row of {@code sql/webhook-deliveries-page.sql} or {@code sql/webhook-delivery-find.sql}. Times
 * are epoch milliseconds.
 *
 * @param answerCode status of the last answer; null when none came
 * @param answer what happened at the last try, in words; null before it
 * @param attemptedAt when the last try ended; null before it. Likewise tookMs, its duration
 * @param dueAt when it is tried next, or when the lease of the node that tries it now ends; null
 *     when it has ended
 */
public record ShownDelivery(
    long id,
    long webhookId,
    String eventId,
    String eventType,
    DeliveryState state,
    int attempts,
    Integer answerCode,
    String answer,
    Long tookMs,
    Long attemptedAt,
    Long dueAt,
    long createdAt) {}
