package io.seckill.webhook;

/**
 * What an operator sets of an endpoint: the parameters of {@code sql/webhook-add.sql} and {@code
 * sql/webhook-update.sql}.
 *
 * @param events types of events, with commas between them
 * @param productId null for events of all products
 * @param activityId null for events of all activities
 */
public record WebhookTerms(
    String url, String events, Long productId, Long activityId, boolean active) {}
