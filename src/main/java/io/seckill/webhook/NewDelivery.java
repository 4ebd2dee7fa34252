package io.seckill.webhook;

/** An event for an endpoint: the parameters of {@code sql/webhook-delivery-add.sql}. */
public record NewDelivery(long webhookId, String eventId, String eventType, byte[] body) {}
