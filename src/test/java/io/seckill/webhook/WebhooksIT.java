package io.seckill.webhook;

import static io.seckill.webhook.Hooks.FAILED;
import static io.seckill.webhook.Hooks.LIMIT;
import static io.seckill.webhook.Hooks.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.seckill.StartRefusedException;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.webhook.Hooks.Hook;
import io.seckill.webhook.Receiver.Answer;
import io.seckill.webhook.Receiver.Received;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events reach other systems, whose signature checks are those that the standard publishes. */
class WebhooksIT {
  private static TestApplication application;
  private static Shop shop;
  private static Hooks hooks;

  @BeforeAll
  static void start() {
    application = TestApplication.start(Hooks.properties("webhooks", 8));
    shop = application.awaitReady().shop();
    hooks = new Hooks(shop);
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  private static Received awaitFirst(Receiver receiver, String eventId) {
    return await("event " + eventId)
        .atMost(LIMIT)
        .until(() -> receiver.received(eventId), found -> !found.isEmpty())
        .get(0);
  }

  private static void verify(Received received, String secret) throws Exception {
    new Webhook(secret).verify(received.body(), received.headers());
  }

  @Test
  void shouldDeliverWhatBecameOfAnOrderSigned() throws Exception {
    try (Receiver receiver = Receiver.answering(204)) {
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      String id = hooks.buy(product, 1).get(0);

      Received received = awaitFirst(receiver, id);

      verify(received, hook.secret());
      assertThat(received.path()).isEqualTo("/hooks");
      assertThat(received.header("content-type")).isEqualTo("application/json");
      assertThat(received.json().fieldNames())
          .toIterable()
          .containsExactly("type", "timestamp", "data");
      assertThat(received.json().path("type").asText()).isEqualTo(SUCCESS);
      assertThatCode(() -> Instant.parse(received.json().path("timestamp").asText()))
          .doesNotThrowAnyException();
      assertThat(received.json().path("data").path("requestId").asText()).isEqualTo(id);
      JsonNode delivery = hooks.awaitOnly(hook, "DELIVERED", 1);
      assertThat(delivery.path("eventId").asText()).isEqualTo(id);
      assertThat(delivery.path("type").asText()).isEqualTo(SUCCESS);
      assertThat(delivery.path("answerCode").asInt()).isEqualTo(204);
      assertThat(delivery.path("dueAt").isNull()).isTrue();
      assertThat(receiver.received(id)).hasSize(1);
    }
  }

  @Test
  void shouldDeliverWhatHappensToASale() {
    try (Receiver receiver = Receiver.answering(204)) {
      long product = Products.next();
      Reply reply =
          hooks.post(
              Map.of(
                  "url",
                  receiver.url(),
                  "events",
                  List.of("io.seckill.sale.opened", "io.seckill.sale.ended"),
                  "productId",
                  product));
      assertThat(reply.status()).as(reply.text()).isEqualTo(201);
      shop.openSale(product, 5);
      await().atMost(LIMIT).until(() -> !receiver.received().isEmpty());
      shop.admin("POST", "/admin/sales/" + product + "/end", null);
      await().atMost(LIMIT).until(() -> receiver.received().size() > 1);

      assertThat(receiver.received())
          .extracting(received -> received.json().path("type").asText())
          .containsExactlyInAnyOrder("io.seckill.sale.opened", "io.seckill.sale.ended");
    }
  }

  @Test
  void shouldCountTries() throws Exception {
    try (Receiver receiver = Receiver.answering(200)) {
      Hook hook = hooks.add(receiver.url(), Products.next());
      shop.admin("POST", hook.path() + "/test", null);
      hooks.awaitOnly(hook, "DELIVERED", 1);

      HttpRequest scrape =
          HttpRequest.newBuilder(URI.create(application.managementUrl() + "/observe/metrics"))
              .build();
      assertThat(shop.send(scrape).text())
          .containsPattern("seckill_webhook_tries_total\\{outcome=\"DELIVERED\"} [1-9]")
          .contains("seckill_webhook_oldest_due_seconds");
    }
  }

  @Test
  void shouldNotStartWithoutTheTopicOfResults() {
    Throwable error =
        catchThrowable(() -> TestApplication.start(Map.of("seckill.webhooks", "on")).close());

    assertThat(StartRefusedException.in(error).orElseThrow(() -> new AssertionError(error)))
        .hasMessage(
            "seckill.webhooks=on sends the events of the topic of results: set seckill.results=on too.");
  }

  @Test
  void shouldRepeatTheSameEventUntilItIsTaken() throws Exception {
    try (Receiver receiver = Receiver.answering(500)) {
      receiver.answer(request -> Answer.of(receiver.received(request.id()).size() < 3 ? 500 : 200));
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      String id = hooks.buy(product, 1).get(0);

      hooks.awaitOnly(hook, "DELIVERED", 3);

      assertThat(receiver.received(id)).hasSize(3);
      assertThat(receiver.received(id)).extracting(Received::body).containsOnly(bodyOf(receiver));
      for (Received each : receiver.received(id)) {
        verify(each, hook.secret());
      }
    }
  }

  private static String bodyOf(Receiver receiver) {
    return receiver.received().get(0).body();
  }

  @Test
  void shouldGiveUpAfterTheLastPause() {
    try (Receiver receiver = Receiver.answering(503)) {
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      hooks.buy(product, 1);

      JsonNode delivery = hooks.awaitOnly(hook, "FAILED", 5);

      assertThat(delivery.path("dueAt").isNull()).isTrue();
      assertThat(receiver.received()).hasSize(5);
    }
  }

  /** The pause that the answer asks for, up to a day. */
  @Test
  void shouldWaitAsLongAsTheEndpointAsks() {
    try (Receiver receiver =
        Receiver.answering(request -> new Answer(503, Map.of("Retry-After", "7200")))) {
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      hooks.buy(product, 1);

      JsonNode delivery = hooks.awaitOnly(hook, "WAITING", 1);

      Instant attempted = Instant.parse(delivery.path("attemptedAt").asText());
      Instant due = Instant.parse(delivery.path("dueAt").asText());
      assertThat(Duration.between(attempted, due)).isEqualTo(Duration.ofHours(2));
    }
  }

  @Test
  void shouldFollowNoRedirect() {
    try (Receiver receiver = Receiver.answering(302)) {
      receiver.answer(
          request -> new Answer(302, Map.of("Location", receiver.url().replace("hooks", "other"))));
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      hooks.buy(product, 1);

      JsonNode delivery = hooks.awaitOnly(hook, "FAILED", 5);

      assertThat(delivery.path("answerCode").asInt()).isEqualTo(302);
      assertThat(receiver.received()).extracting(Received::path).containsOnly("/hooks");
    }
  }

  @Test
  void shouldSwitchOffAnEndpointThatIsGone() {
    try (Receiver receiver = Receiver.answering(410)) {
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      hooks.buy(product, 1);

      hooks.awaitOnly(hook, "FAILED", 1);

      await().atMost(LIMIT).until(() -> !hooks.get(hook).path("active").asBoolean());
      assertThat(hooks.get(hook).path("switchedOff").asText()).isEqualTo("GONE");
      assertThat(shop.admin("GET", "/admin/audit?limit=50", null).text()).contains("WEBHOOK_GONE");
    }
  }

  /** More events than the slow endpoint has turns, and half as many as the node has senders. */
  @Test
  void shouldNotLetASlowEndpointHoldUpAnother() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    try (Receiver slow = Receiver.answering(request -> afterwards(released));
        Receiver quick = Receiver.answering(200)) {
      long product = hooks.sale(50);
      hooks.add(slow.url(), product);
      hooks.add(quick.url(), product);
      List<String> ids = hooks.buy(product, 20);

      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(quick.received()).extracting(Received::id).containsAll(ids));

      assertThat(released.getCount()).isOne();
      assertThat(slow.received()).hasSizeLessThanOrEqualTo(4);
      released.countDown();
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(slow.received()).extracting(Received::id).containsAll(ids));
    } finally {
      released.countDown();
    }
  }

  private static Answer afterwards(CountDownLatch latch) {
    try {
      return Answer.of(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS) ? 200 : 500);
    } catch (InterruptedException stopped) {
      return Answer.of(500);
    }
  }

  @Test
  void shouldSignWithBothSecretsWhileTheyAreChanged() throws Exception {
    try (Receiver receiver = Receiver.answering(200)) {
      Hook hook = hooks.add(receiver.url(), Products.next());
      Reply reply = shop.admin("POST", hook.path() + "/secret", null);
      assertThat(reply.status()).isEqualTo(200);
      String renewed = reply.member("secret");
      assertThat(renewed).startsWith("whsec_").isNotEqualTo(hook.secret());

      Reply test = shop.admin("POST", hook.path() + "/test", null);
      assertThat(test.status()).as(test.text()).isEqualTo(200);
      Received received = awaitFirst(receiver, test.member("eventId"));

      verify(received, renewed);
      verify(received, hook.secret());
      assertThat(received.json().path("type").asText()).isEqualTo("io.seckill.webhook.test");
      assertThatThrownBy(() -> verify(received, new Signatures().newSecret()))
          .isInstanceOf(WebhookVerificationException.class);
      assertThat(Instant.parse(hooks.get(hook).path("formerSecretUntil").asText()))
          .isAfter(Instant.parse(hooks.get(hook).path("updatedAt").asText()));
    }
  }

  @Test
  void shouldSendWhatAnEndpointAsksForAlone() {
    try (Receiver receiver = Receiver.answering(200)) {
      long product = hooks.sale(5);
      long other = hooks.sale(5);
      long activity = Products.next();
      Reply sale = shop.admin("PATCH", "/admin/sales/" + other, Map.of("activityId", activity));
      assertThat(sale.status()).as(sale.text()).isEqualTo(200);
      hooks.post(
          Map.of(
              "url", receiver.url() + "/failed", "events", List.of(FAILED), "productId", product));
      hooks.post(
          Map.of(
              "url",
              receiver.url() + "/activity",
              "events",
              List.of(SUCCESS),
              "activityId",
              activity));
      hooks.add(receiver.url() + "/product", product);
      String ofProduct = hooks.buy(product, 1).get(0);
      String ofActivity = hooks.buy(other, 1).get(0);

      awaitFirst(receiver, ofProduct);
      awaitFirst(receiver, ofActivity);

      assertThat(receiver.received())
          .extracting(request -> request.path() + " " + request.id())
          .containsExactlyInAnyOrder(
              "/hooks/product " + ofProduct, "/hooks/activity " + ofActivity);
    }
  }

  @Test
  void shouldSendAgainOnRequest() {
    try (Receiver receiver = Receiver.answering(200)) {
      long product = hooks.sale(5);
      Hook hook = hooks.add(receiver.url(), product);
      String id = hooks.buy(product, 1).get(0);
      JsonNode delivery = hooks.awaitOnly(hook, "DELIVERED", 1);

      Reply one =
          shop.admin(
              "POST",
              hook.path() + "/deliveries/" + delivery.path("id").asLong() + "/replay",
              null);
      assertThat(one.status()).as(one.text()).isEqualTo(200);
      await().atMost(LIMIT).until(() -> receiver.received(id).size() == 2);
      hooks.awaitOnly(hook, "DELIVERED", 1);

      String since = delivery.path("createdAt").asText();
      Reply all = shop.admin("POST", hook.path() + "/replay?since=" + since, null);
      assertThat(all.text()).isEqualTo("{\"replayed\":1}");
      await().atMost(LIMIT).until(() -> receiver.received(id).size() == 3);
      Reply none = shop.admin("POST", hook.path() + "/replay?since=2999-01-01T00:00:00Z", null);
      assertThat(none.text()).isEqualTo("{\"replayed\":0}");
    }
  }

  @Test
  void shouldKeepADeletedOrInactiveEndpointQuiet() {
    try (Receiver receiver = Receiver.answering(200)) {
      long product = hooks.sale(5);
      Hook deleted = hooks.add(receiver.url() + "/deleted", product);
      Hook inactive = hooks.add(receiver.url() + "/inactive", product);
      hooks.add(receiver.url(), product);
      Map<String, Object> terms = new HashMap<>();
      terms.put("url", receiver.url() + "/inactive");
      terms.put("events", List.of(SUCCESS));
      terms.put("active", false);
      Reply put = shop.admin("PUT", inactive.path(), terms);
      assertThat(put.status()).as(put.text()).isEqualTo(200);
      assertThat(shop.admin("DELETE", deleted.path(), null).status()).isEqualTo(200);
      assertThat(shop.admin("GET", deleted.path(), null).code()).isEqualTo("UNKNOWN_WEBHOOK");
      String id = hooks.buy(product, 1).get(0);

      awaitFirst(receiver, id);

      assertThat(receiver.received()).extracting(Received::path).containsOnly("/hooks");
      assertThat(hooks.deliveries(inactive)).isEmpty();
    }
  }

  @Test
  void shouldShowASecretOnce() {
    Hook hook = hooks.add("http://127.0.0.1:9/never", Products.next());
    assertThat(hook.secret()).matches("whsec_[A-Za-z0-9+/]{43}=");
    for (String path :
        List.of("/admin/webhooks", hook.path(), hook.path() + "/deliveries", "/admin/audit")) {
      assertThat(shop.admin("GET", path, null).text())
          .as(path)
          .doesNotContain("whsec_", hook.secret());
    }
    Reply audit = shop.admin("GET", "/admin/audit", null);
    assertThat(audit.text()).contains("WEBHOOK_CREATE", "http://127.0.0.1:9/never");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://user:pw@example.org/ | 422 | FORBIDDEN_TARGET",
        "http://127.0.0.1/#part | 422 | FORBIDDEN_TARGET",
        "ftp://127.0.0.1/ | 422 | FORBIDDEN_TARGET",
        "file:///etc/passwd | 422 | FORBIDDEN_TARGET",
        "http:// | 422 | FORBIDDEN_TARGET",
        "http://no-such-host.invalid/ | 422 | FORBIDDEN_TARGET",
        "not a url | 422 | FORBIDDEN_TARGET",
      })
  void shouldRefuseAddressesThatCannotBeCalled(String url, int status, String code) {
    Reply reply = hooks.post(Map.of("url", url, "events", List.of(SUCCESS)));
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.code()).isEqualTo(code);
    assertThat(reply.member("member")).isEqualTo("url");
  }

  @Test
  void shouldRefuseWhatIsNoWebhook() {
    String url = "http://127.0.0.1:9/";
    for (Map<String, ?> terms :
        List.of(
            Map.of("url", url),
            Map.of("url", url, "events", List.of()),
            Map.of("url", url, "events", List.of("*")),
            Map.of("url", url, "events", List.of("io.seckill.unknown")),
            Map.of("url", 1, "events", List.of(SUCCESS)),
            Map.of("url", url, "events", List.of(SUCCESS), "productId", 0),
            Map.of("url", url, "events", List.of(SUCCESS), "secret", "mine"))) {
      Reply reply = hooks.post(terms);
      assertThat(reply.status()).as(terms + ": " + reply.text()).isEqualTo(400);
      assertThat(reply.code()).isEqualTo("INVALID_REQUEST");
    }
    Reply large = hooks.post(Map.of("url", url + "x".repeat(5_000), "events", List.of(SUCCESS)));
    assertThat(large.status()).isEqualTo(413);
    assertThat(shop.admin("POST", "/admin/webhooks/999999/test", null).code())
        .isEqualTo("UNKNOWN_WEBHOOK");
    Hook hook = hooks.add(url, Products.next());
    assertThat(shop.admin("POST", hook.path() + "/deliveries/9/replay", null).code())
        .isEqualTo("UNKNOWN_DELIVERY");
    assertThat(shop.admin("POST", hook.path() + "/replay?since=yesterday", null).code())
        .isEqualTo("INVALID_REQUEST");
  }
}
