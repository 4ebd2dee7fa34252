package io.seckill.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.seckill.kafka.ReceivedRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.camel.Body;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes deliveries of the records of the topic of results. Stateless. */
public final class WebhookEvents {
  /** Standard Webhooks advises against more, in bytes. */
  static final int MAX_BODY = 20 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(WebhookEvents.class);
  private static final JsonMapper JSON = new JsonMapper();

  /** As long as their columns, of what a header may hold. */
  private static final Pattern ID = Pattern.compile("[!-~]{1,255}");

  private static final Pattern TYPE = Pattern.compile("[!-~]{1,64}");

  /** The events of a poll. What is no event, or too large to be sent, is logged and left out. */
  public List<WebhookEvent> read(List<ReceivedRecord> records) {
    return records.stream().map(WebhookEvents::event).flatMap(Optional::stream).toList();
  }

  private static Optional<WebhookEvent> event(ReceivedRecord polled) {
    Optional<String> id = polled.header("ce_id").filter(ID.asMatchPredicate());
    Optional<String> type = polled.header("ce_type").filter(TYPE.asMatchPredicate());
    if (id.isEmpty() || type.isEmpty()) {
      LOG.warn("{} is no event: ce_id or ce_type is missing or malformed", polled.origin());
      return Optional.empty();
    }
    try {
      JsonNode data = JSON.readTree(polled.value());
      WebhookEvent event =
          new WebhookEvent(
              id.get(),
              type.get(),
              data.path("productId").isIntegralNumber() ? data.path("productId").asLong() : null,
              body(type.get(), Instant.ofEpochMilli(polled.timestamp()), data));
      if (event.body().length > MAX_BODY) {
        LOG.warn("Event {} of {} is too large to be sent", id.get(), polled.origin());
        return Optional.empty();
      }
      return Optional.of(event);
    } catch (IOException e) {
      LOG.warn("{} is no event: {}", polled.origin(), e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * What is sent.
   *
   * @param data the event's own members
   */
  static byte[] body(String type, Instant at, JsonNode data) {
    ObjectNode body = JSON.createObjectNode();
    body.put("type", type);
    body.put("timestamp", at.toString());
    body.set("data", data);
    try {
      return JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A tree that was read can be written", e);
    }
  }

  /** The products that events are about, each once; one that no sale has where there is none. */
  public List<Long> products(List<WebhookEvent> events) {
    List<Long> products =
        events.stream().map(WebhookEvent::productId).filter(Objects::nonNull).distinct().toList();
    return products.isEmpty() ? List.of(0L) : products;
  }

  /**
   * One delivery for each event and each endpoint that asks for it.
   *
   * @param activities those of the events' products
   * @return sorted, so that nodes that insert the same rows do not deadlock
   */
  public List<NewDelivery> deliveries(
      @Variable("events") List<WebhookEvent> events,
      @Variable("subscriptions") List<Subscription> subscriptions,
      @Body List<ProductActivity> activities) {
    Map<Long, Long> activityOf = new HashMap<>();
    activities.forEach(row -> activityOf.put(row.productId(), row.activityId()));
    List<NewDelivery> deliveries = new ArrayList<>();
    for (WebhookEvent event : events) {
      for (Subscription subscription : subscriptions) {
        if (subscription.wants(event, activityOf.get(event.productId()))) {
          deliveries.add(
              new NewDelivery(subscription.id(), event.id(), event.type(), event.body()));
        }
      }
    }
    deliveries.sort(
        Comparator.comparingLong(NewDelivery::webhookId).thenComparing(NewDelivery::eventId));
    return deliveries;
  }
}
