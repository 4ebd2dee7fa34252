package io.seckill.webhook;

/**
 * An event of the topic of results, as it will be sent.
 *
 * @param id of the event, the same however often it comes
 * @param productId the sale it is about; null when it is about none
 * @param body what is sent: JSON
 */
public record WebhookEvent(String id, String type, Long productId, byte[] body) {}
