package io.seckill.webhook;

/**
 * A row of {@code sql/webhooks.sql}: an endpoint without its secrets. Times are epoch milliseconds.
 *
 * @param events types of events, with commas between them
 * @param switchedOff why the application switched it off; null when it did not
 * @param formerSecretUntil until when the secret before the present one signs too; null for none
 */
public record WebhookRow(
    long id,
    String url,
    String events,
    Long productId,
    Long activityId,
    boolean active,
    String switchedOff,
    Long formerSecretUntil,
    long createdAt,
    long updatedAt) {}
