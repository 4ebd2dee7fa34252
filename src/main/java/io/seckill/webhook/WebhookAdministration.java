package io.seckill.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.seckill.admin.Members;
import io.seckill.admin.QueryNumbers;
import io.seckill.answer.Refusal;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Reads operators' requests for endpoints and deliveries, and makes the answers. */
public final class WebhookAdministration {
  private static final int DEFAULT_PAGE = 100;
  private static final int MAX_PAGE = 500;
  private static final Set<String> MEMBERS =
      Set.of("url", "events", "productId", "activityId", "active");

  private final Targets targets;
  private final Clock clock;

  public WebhookAdministration(Targets targets, Clock clock) {
    this.targets = targets;
    this.clock = clock;
  }

  /**
   * The id in a path.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  public long id(Object header) {
    return QueryNumbers.number(header, "id", 1, Long.MAX_VALUE);
  }

  /**
   * Reads {@code {"url", "events", "productId"?, "activityId"?, "active"?}}. May wait for a name
   * server.
   *
   * @throws Refusal 400 INVALID_REQUEST; 422 FORBIDDEN_TARGET for an address that may not be called
   */
  public WebhookTerms terms(byte[] body) {
    Members members = Members.of(body, MEMBERS, "a webhook");
    JsonNode url = members.get("url");
    if (url == null || !url.isTextual()) {
      throw Members.invalid("url", "must be a text");
    }
    JsonNode active = members.get("active");
    if (active != null && !active.isBoolean()) {
      throw Members.invalid("active", "must be true or false");
    }
    WebhookTerms terms =
        new WebhookTerms(
            url.textValue(),
            String.join(",", events(members.get("events"))),
            members.integer("productId", 1, Long.MAX_VALUE),
            members.integer("activityId", 1, Long.MAX_VALUE),
            active == null || active.booleanValue());
    judge(terms.url());
    return terms;
  }

  private static Set<String> events(JsonNode given) {
    if (given == null || !given.isArray() || given.isEmpty()) {
      throw Members.invalid("events", "must be a list of types of events");
    }
    Set<String> events = new LinkedHashSet<>();
    for (JsonNode event : given) {
      if (!event.isTextual() || !EventTypes.KNOWN.contains(event.textValue())) {
        throw Members.invalid("events", "must be of " + String.join(", ", EventTypes.KNOWN));
      }
      events.add(event.textValue());
    }
    return events;
  }

  private void judge(String url) {
    try {
      targets.judge(url);
    } catch (ForbiddenTargetException e) {
      throw forbidden(e.getMessage());
    } catch (UnknownHostException e) {
      throw forbidden("The host has no address.");
    }
  }

  private static Refusal forbidden(String reason) {
    return Refusal.of(422, "FORBIDDEN_TARGET", "'url' cannot be called. " + reason)
        .with("member", "url");
  }

  /**
   * Ends a call on an endpoint that is not there.
   *
   * @throws Refusal 404 UNKNOWN_WEBHOOK
   */
  public void require(@Variable("webhook") WebhookRow row) {
    if (row == null) {
      throw Refusal.of(404, "UNKNOWN_WEBHOOK", "There is no webhook of this id.");
    }
  }

  /** The answer with all endpoints. */
  public Map<String, Object> list(@Body List<WebhookRow> rows) {
    return Map.of("webhooks", rows.stream().map(this::view).toList());
  }

  /** The answer with an endpoint; null for none. */
  public Map<String, Object> view(WebhookRow row) {
    if (row == null) {
      return null;
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", row.id());
    view.put("url", row.url());
    view.put("events", Arrays.asList(row.events().split(",")));
    view.put("productId", row.productId());
    view.put("activityId", row.activityId());
    view.put("active", row.active());
    view.put("switchedOff", row.switchedOff());
    view.put("formerSecretUntil", instant(row.formerSecretUntil()));
    view.put("createdAt", instant(row.createdAt()));
    view.put("updatedAt", instant(row.updatedAt()));
    return view;
  }

  /** The only answer with a secret: when it has just been made. */
  public Map<String, Object> viewWithSecret(
      @Variable("webhook") WebhookRow row, @Variable("secret") String secret) {
    Map<String, Object> view = view(row);
    view.put("secret", secret);
    return view;
  }

  /** An event that no sale has caused. */
  public NewDelivery test(@Variable("webhookId") long webhookId) {
    return new NewDelivery(
        webhookId,
        "test-" + UUID.randomUUID(),
        EventTypes.TEST,
        WebhookEvents.body(
            EventTypes.TEST,
            clock.instant(),
            JsonNodeFactory.instance.objectNode().put("webhookId", webhookId)));
  }

  /**
   * Reads the query of the log.
   *
   * @param query the parameters state, before and limit, each a text or absent
   * @throws Refusal 400 INVALID_REQUEST
   */
  public DeliveryQuestion question(@Variable("query") Map<String, Object> query) {
    Object before = query.get("before");
    Object limit = query.get("limit");
    return new DeliveryQuestion(
        state(query.get("state")),
        before == null ? Long.MAX_VALUE : QueryNumbers.number(before, "before", 1, Long.MAX_VALUE),
        limit == null ? DEFAULT_PAGE : (int) QueryNumbers.number(limit, "limit", 1, MAX_PAGE));
  }

  private static String state(Object given) {
    if (given == null) {
      return "";
    }
    if (Arrays.stream(DeliveryState.values()).anyMatch(state -> state.name().equals(given))) {
      return (String) given;
    }
    throw Members.invalid("state", "must be one of " + Arrays.toString(DeliveryState.values()));
  }

  /** The answer with a page. {@code next} is the {@code before} of the next page, or null. */
  public Map<String, Object> page(
      @Body List<ShownDelivery> rows, @Variable("question") DeliveryQuestion question) {
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("deliveries", rows.stream().map(this::viewDelivery).toList());
    page.put("next", rows.size() == question.limit() ? rows.get(rows.size() - 1).id() : null);
    return page;
  }

  /**
   * The answer with a delivery.
   *
   * @throws Refusal 404 UNKNOWN_DELIVERY
   */
  public Map<String, Object> viewDelivery(ShownDelivery row) {
    if (row == null) {
      throw Refusal.of(404, "UNKNOWN_DELIVERY", "The webhook has no delivery of this id.");
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", row.id());
    view.put("eventId", row.eventId());
    view.put("type", row.eventType());
    view.put("state", row.state());
    view.put("attempts", row.attempts());
    view.put("answerCode", row.answerCode());
    view.put("answer", row.answer());
    view.put("tookMs", row.tookMs());
    view.put("attemptedAt", instant(row.attemptedAt()));
    view.put("dueAt", instant(row.dueAt()));
    view.put("createdAt", instant(row.createdAt()));
    return view;
  }

  /**
   * Reads {@code since} of the query.
   *
   * @return epoch milliseconds
   * @throws Refusal 400 INVALID_REQUEST
   */
  public long since(@Variable("query") Map<String, Object> query) {
    try {
      return Instant.parse(String.valueOf(query.get("since"))).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw Members.invalid("since", "must be a time such as 2030-01-31T10:00:00Z");
    }
  }

  /** The answer of a replay of several deliveries. */
  public Map<String, Object> replayed(int deliveries) {
    return Map.of("replayed", deliveries);
  }

  private static String instant(Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis).toString();
  }
}
