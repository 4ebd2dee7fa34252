package io.seckill.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.seckill.http.EventStreams;
import io.seckill.testing.EventReader;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Consoles at two nodes that share a Redis of their own. */
class EventsIT {
  private static final int REDIS_DATABASE = 11;
  private static final int STREAMS = 3;
  private static final TestServers SERVERS = TestServers.get();

  private static TestApplication first;
  private static TestApplication second;

  private final long product = Products.next();
  private final Shop shop = first.shop();

  @BeforeAll
  static void start() {
    first = node("one");
    second = node("two");
    first.awaitReady();
    second.awaitReady();
  }

  private static TestApplication node(String name) {
    Map<String, String> properties =
        new LinkedHashMap<>(TestApplication.apart("events", REDIS_DATABASE));
    properties.put("seckill.console.node", name);
    properties.put("seckill.console.max-streams", Integer.toString(STREAMS));
    return TestApplication.start(properties);
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
  }

  private static EventReader open(TestApplication node, String query) {
    return EventReader.open(node.baseUrl(), node.adminToken(), query);
  }

  private static JsonNode nodeOf(JsonNode overview, String name) {
    return StreamSupport.stream(overview.path("nodes").spliterator(), false)
        .filter(node -> node.path("node").asText().equals(name))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  @Test
  void shouldBeginWithEverything() {
    shop.openSale(product, 5);
    try (EventReader console = open(first, "")) {
      assertThat(console.status()).isEqualTo(200);
      assertThat(console.header("Content-Type")).contains("text/event-stream");
      JsonNode overview = console.await("the first event", event -> true);
      assertThat(overview.path("complete").asBoolean()).isTrue();
      assertThat(overview.path("mode").asText()).isEqualTo("full");
      assertThat(overview.path("node").asText()).isEqualTo("one");
      // what was composed a moment ago for another console may lack it still
      JsonNode sale = console.awaitSale(product, any -> true);
      assertThat(sale.path("state").asText()).isEqualTo("OPEN");
      assertThat(sale.path("settled").asBoolean()).isFalse();
      JsonNode next = console.await("the next event", event -> !event.path("complete").asBoolean());
      assertThat(next.path("time").asLong()).isGreaterThanOrEqualTo(overview.path("time").asLong());
    }
  }

  @Test
  void shouldCountWhatEveryNodeAnswersBySaleAndCode() {
    shop.openSale(product, 3);
    second.shop().awaitAdmitting(product);
    try (EventReader console = open(first, "?productId=" + product)) {
      console.await(
          "both nodes",
          event ->
              nodeOf(event, "one").path("ready").asBoolean()
                  && nodeOf(event, "two").path("ready").asBoolean()
                  && nodeOf(event, "two").path("checks").size() > 0);
      second.shop().buy(product, 1);
      console.awaitSale(product, sale -> sale.path("perSecond").path("admitted").asDouble() > 0);
      second.shop().buy(product, 1, "again");
      console.awaitSale(
          product,
          sale -> sale.path("perSecond").path("refused").path("FAIL_DUPLICATE").asDouble() > 0);
      shop.buy(product, 2);
      shop.buy(product, 3);
      shop.buy(product, 4);
      JsonNode sold =
          console.awaitSale(product, sale -> sale.path("ledger").path("sold").asLong() == 3);
      JsonNode ledger = sold.path("ledger");
      assertThat(ledger.path("available").asLong()).isZero();
      assertThat(ledger.path("initial").asLong()).isEqualTo(3);
      assertThat(ledger.path("balanced").asBoolean()).isTrue();
      assertThat(sold.path("state").asText()).isEqualTo("SOLD_OUT");
      console.awaitHappening("SOLD_OUT", product);
      JsonNode timed =
          console.await("a latency", event -> !event.path("flow").path("latency").isNull());
      JsonNode latency = timed.path("flow").path("latency");
      assertThat(latency.path("p50Ms").asDouble())
          .isPositive()
          .isLessThanOrEqualTo(latency.path("p99Ms").asDouble());
      // and it goes quiet again
      console.awaitSale(
          product,
          sale ->
              sale.path("perSecond").path("admitted").asDouble() == 0
                  && sale.path("perSecond").path("refused").isEmpty());
      assertThat(console.details())
          .allSatisfy(sale -> assertThat(sale.path("productId").asLong()).isEqualTo(product));
    }
  }

  @Test
  void shouldTellWhatOperatorsDo() {
    try (EventReader console = open(second, "")) {
      console.await("the first event", event -> true);
      shop.openSale(product, 3);
      assertThat(console.awaitHappening("CREATED", product).path("by").asText()).isEqualTo("admin");
      shop.admin("PATCH", "/admin/sales/" + product, Map.of("ratePerSecond", 20));
      assertThat(console.awaitHappening("CHANGED", product).path("detail").asText())
          .contains("ratePerSecond: null → 20");
      shop.admin("POST", "/admin/sales/" + product + "/pause", null);
      console.awaitHappening("PAUSED", product);
      console.awaitSale(product, sale -> sale.path("state").asText().equals("PAUSED"));
      shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 2), "more");
      console.awaitHappening("RESTOCKED", product);
      console.awaitSale(product, sale -> sale.path("ledger").path("restocked").asLong() == 2);
    }
  }

  @Test
  void shouldMissANodeThatIsGoneAndSeeItComeBack() {
    try (EventReader console = open(first, "")) {
      TestApplication third = node("three");
      try {
        console.await("the third node", event -> !nodeOf(event, "three").isMissingNode());
      } finally {
        third.close();
      }
      JsonNode lost =
          console.await("its loss", event -> nodeOf(event, "three").path("lost").asBoolean());
      assertThat(lost.path("attention").findValuesAsText("code")).contains("NODE_LOST");
      console.awaitHappening("NODE_LOST", 0);
      try (TestApplication again = node("three")) {
        assertThat(again.camelContext().isStarted()).isTrue();
        console.awaitHappening("NODE_BACK", 0);
      }
    }
  }

  @Test
  void shouldGoOnWhileRedisIsAwayAndSaySo() {
    shop.openSale(product, 3);
    try (EventReader console = open(first, "")) {
      console.awaitSale(product, sale -> !sale.path("ledger").isNull());
      SERVERS.redis().stop();
      try {
        JsonNode away =
            console.await(
                "that Redis is away",
                event -> event.path("attention").findValuesAsText("code").contains("REDIS_AWAY"));
        assertThat(away.path("flow").path("outbox").isNull()).isTrue();
        console.awaitSale(product, sale -> sale.path("ledger").isNull());
      } finally {
        SERVERS.redis().start();
      }
      console.awaitSale(product, sale -> !sale.path("ledger").isNull());
    }
  }

  @Test
  void shouldBoundTheNumberOfStreamsAndFreeThoseThatEnd() {
    EventStreams streams = first.bean(EventStreams.class);
    await().atMost(30, TimeUnit.SECONDS).until(() -> streams.open() == 0);
    EventReader[] consoles = new EventReader[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
      consoles[i] = open(first, "");
      assertThat(consoles[i].status()).isEqualTo(200);
    }
    Reply refused = shop.admin("GET", "/admin/events", null);
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.code()).isEqualTo("TOO_MANY_STREAMS");
    for (EventReader console : consoles) {
      console.close();
    }
    await().atMost(30, TimeUnit.SECONDS).until(() -> streams.open() == 0);
    try (EventReader console = open(first, "")) {
      assertThat(console.status()).isEqualTo(200);
    }
  }

  @Test
  void shouldRefuseWhatIsNoProductOrNoToken() {
    assertThat(shop.admin("GET", "/admin/events?productId=x", null).status()).isEqualTo(400);
    assertThat(new Shop(first.baseUrl(), "wrong").admin("GET", "/admin/events", null).status())
        .isEqualTo(401);
    assertThat(shop.admin("POST", "/admin/events", null).status()).isEqualTo(405);
  }

  @Test
  void shouldShowMySqlsStockWithoutRedis() {
    try (TestApplication minimal =
        TestApplication.apart("eventsminimal", REDIS_DATABASE, Map.of("seckill.mode", "minimal"))) {
      minimal.awaitReady();
      minimal.shop().openSale(product, 3);
      try (EventReader console = open(minimal, "")) {
        JsonNode overview = console.await("the first event", event -> true);
        assertThat(overview.path("mode").asText()).isEqualTo("minimal");
        assertThat(overview.path("nodes")).hasSize(1);
        minimal.shop().buy(product, 1);
        console.awaitSale(product, sale -> sale.path("perSecond").path("admitted").asDouble() > 0);
        JsonNode sold =
            console.awaitSale(product, sale -> sale.path("ledger").path("sold").asLong() == 1);
        assertThat(sold.path("ledger").path("available").asLong()).isEqualTo(2);
      }
    }
  }
}
