package io.seckill.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What operators do with webhooks, over HTTP. */
final class Hooks {
  static final String SUCCESS = "io.seckill.order.success";
  static final String FAILED = "io.seckill.order.failed";
  static final Duration LIMIT = Duration.ofSeconds(60);

  private final Shop shop;

  /** A webhook with its secret. */
  record Hook(long id, String secret) {
    String path() {
      return "/admin/webhooks/" + id;
    }
  }

  Hooks(Shop shop) {
    this.shop = shop;
  }

  /** Properties of nodes that share a database and topics, and are in a hurry. */
  static Map<String, String> properties(String name, int redisDatabase) {
    Map<String, String> properties =
        new LinkedHashMap<>(TestApplication.apart(name, redisDatabase));
    properties.put("seckill.results", "on");
    properties.put("seckill.results.topic", "seckill.results." + name);
    properties.put("seckill.webhooks", "on");
    properties.put("seckill.webhooks.group", "seckill-webhooks-" + name);
    properties.put("seckill.webhooks.http", "true");
    properties.put("seckill.webhooks.private-addresses", "true");
    properties.put("seckill.webhooks.interval", "100");
    properties.put("seckill.webhooks.retries", "100,100,100,100");
    properties.put("seckill.webhooks.breaker-wait", "500");
    return properties;
  }

  Reply post(Map<String, ?> terms) {
    return shop.admin("POST", "/admin/webhooks", terms);
  }

  /** Adds a webhook for both ends of the orders of a product. */
  Hook add(String url, long product) {
    Reply reply =
        post(Map.of("url", url, "events", List.of(SUCCESS, FAILED), "productId", product));
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return new Hook(reply.json().path("id").asLong(), reply.member("secret"));
  }

  JsonNode get(Hook hook) {
    Reply reply = shop.admin("GET", hook.path(), null);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply.json();
  }

  /** Opens a sale that admits buyers. */
  long sale(int stock) {
    long product = Products.next();
    shop.openSale(product, stock);
    return product;
  }

  /** Buys as the users from 1 on. Returns the ids of the events to come. */
  List<String> buy(long product, int users) {
    List<String> ids = new ArrayList<>();
    for (int user = 1; user <= users; user++) {
      ids.add(shop.buy(product, user).requestId());
    }
    assertThat(ids).doesNotContainNull();
    return ids;
  }

  List<JsonNode> deliveries(Hook hook) {
    Reply reply = shop.admin("GET", hook.path() + "/deliveries", null);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    List<JsonNode> deliveries = new ArrayList<>();
    reply.json().path("deliveries").forEach(deliveries::add);
    return deliveries;
  }

  /** Waits until the only delivery of a webhook has come so far. */
  JsonNode awaitOnly(Hook hook, String state, int attempts) {
    return await("one delivery " + state + " after " + attempts)
        .atMost(LIMIT)
        .until(
            () -> deliveries(hook),
            found ->
                found.size() == 1
                    && found.get(0).path("state").asText().equals(state)
                    && found.get(0).path("attempts").asInt() == attempts)
        .get(0);
  }
}
