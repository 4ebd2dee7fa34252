package io.seckill.webhook;

import java.util.List;

/**
 * What an active endpoint asks for: a row of {@code sql/webhook-subscriptions.sql}.
 *
 * @param events types of events, with commas between them
 * @param productId null for events of all products
 * @param activityId null for events of all activities
 */
public record Subscription(long id, String events, Long productId, Long activityId) {

  /**
   * Whether the endpoint asks for an event.
   *
   * @param activity of the event's product; null when it has none
   */
  boolean wants(WebhookEvent event, Long activity) {
    return List.of(events.split(",")).contains(event.type())
        && (productId == null || productId.equals(event.productId()))
        && (activityId == null || activityId.equals(activity));
  }
}
