package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.book.BookKeys;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.camel.spi.RouteController;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BookVerificationIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static OwnServers servers;
  private static TestApplication application;
  private static Shop shop;

  private final long productId = Products.next();

  @BeforeAll
  static void start() {
    servers = OwnServers.start();
    application = servers.application();
    shop = application.shop();
  }

  @AfterAll
  static void stop() {
    application.close();
    servers.close();
  }

  private void buy(int from, int to) {
    for (int user = from; user < to; user++) {
      long buyer = user;
      await()
          .atMost(LIMIT)
          .until(() -> shop.buy(productId, buyer, "k").status(), status -> status != 503);
    }
  }

  private void awaitSold(long units) {
    await(units + " units sold")
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              JsonNode ledger = shop.ledger(productId);
              assertThat(ledger.path("sold").asLong()).as(ledger.toString()).isEqualTo(units);
              assertThat(ledger.path("pending").asLong()).as(ledger.toString()).isZero();
            });
    assertThat(servers.ordered(productId)).isEqualTo(units);
  }

  private String health() {
    return shop.send(
            HttpRequest.newBuilder(URI.create(application.managementUrl() + "/observe/health"))
                .GET()
                .build())
        .text();
  }

  private JsonNode listed() {
    for (JsonNode sale : shop.admin("GET", "/admin/sales", null).json().path("sales")) {
      if (sale.path("productId").asLong() == productId) {
        return sale;
      }
    }
    throw new AssertionError("not listed");
  }

  @Test
  void shouldGoOnInAnEpochOfItsOwnAfterARestartThatLostNothing() {
    shop.openSale(productId, 10);
    buy(1, 4);
    awaitSold(3);
    servers.redis().stop();
    assertThat(shop.buy(productId, 4, "k").status()).isEqualTo(503);
    servers.redis().start();
    buy(4, 6);
    awaitSold(5);
    assertThat(servers.number("SELECT epoch FROM products WHERE id = ?", productId)).isEqualTo(2);
  }

  @Test
  void shouldShutASaleWhoseRedisCameBackOlder() {
    shop.openSale(productId, 10);
    buy(1, 4);
    awaitSold(3);
    Path copy = servers.copyOfRedis();
    buy(4, 7);
    awaitSold(6);
    servers.restartRedisFrom(copy);

    await()
        .atMost(LIMIT)
        .until(() -> "REBUILD_REQUIRED".equals(listed().path("admission").asText()));
    assertThat(listed().path("admissionReason").asText()).contains("Redis is older than MySQL");
    assertThat(health()).contains("sale " + productId, "Redis is older than MySQL");
    Shop.Reply refused = shop.buy(productId, 20, "k");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isPresent();
    // MySQL knows what the book has forgotten; until Redis is reached again it is 503
    await()
        .atMost(LIMIT)
        .until(() -> "SUCCESS".equals(shop.result(5, "k", productId).member("status")));
    assertThat(shop.result(20, "k", productId).status()).isEqualTo(503);

    Shop.Reply rebuilt = shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
    assertThat(rebuilt.status()).as(rebuilt.text()).isEqualTo(200);
    assertThat(rebuilt.json().path("discrepancies").asLong()).isEqualTo(3);
    assertThat(rebuilt.json().path("after").path("available").asLong()).isEqualTo(4);
    buy(20, 30);
    awaitSold(10);
    assertThat(listed().path("admission").asText()).isEqualTo("OPEN");
  }

  @Test
  void shouldJudgeByWhatLiesInKafkaAndNotWaitForTheWriters() throws Exception {
    RouteController routes = application.camelContext().getRouteController();
    shop.openSale(productId, 10);
    routes.stopRoute("order-writer");
    buy(1, 4);
    await().atMost(LIMIT).until(() -> shop.ledger(productId).path("outbox").asLong() == 0);
    servers.redis().stop();
    servers.redis().start();

    buy(4, 5);
    assertThat(servers.ordered(productId)).as("written").isZero();
    Path copy = servers.copyOfRedis();
    buy(5, 6);
    await().atMost(LIMIT).until(() -> shop.ledger(productId).path("outbox").asLong() == 0);

    servers.restartRedisFrom(copy);
    await()
        .atMost(LIMIT)
        .until(() -> "REBUILD_REQUIRED".equals(listed().path("admission").asText()));
    assertThat(listed().path("admissionReason").asText()).contains("Redis is older than Kafka");
    assertThat(servers.ordered(productId)).as("written").isZero();

    routes.startRoute("order-writer");
    await().atMost(LIMIT).until(() -> servers.ordered(productId) == 5);
    shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
    awaitSold(5);
  }

  @Test
  void shouldBringStateAndUnitsOfAnOlderBookToThoseOfMySql() {
    shop.openSale(productId, 10);
    buy(1, 3);
    awaitSold(2);
    Path copy = servers.copyOfRedis();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                shop.admin(
                        "POST",
                        "/admin/sales/" + productId + "/restock",
                        Map.of("units", 7),
                        "restock")
                    .status(),
            status -> status == 200);
    assertThat(shop.admin("POST", "/admin/sales/" + productId + "/pause", null).status())
        .isEqualTo(200);
    servers.restartRedisFrom(copy);

    await()
        .atMost(LIMIT)
        .until(() -> shop.buy(productId, 3, "k").code(), code -> !"DEGRADED".equals(code));
    assertThat(shop.buy(productId, 3, "k").code()).isEqualTo("FAIL_PAUSED");
    assertThat(shop.ledger(productId).path("available").asLong()).isEqualTo(15);
  }

  @Test
  void shouldShutASaleWhoseBookVanished() {
    shop.openSale(productId, 10);
    buy(1, 3);
    awaitSold(2);
    servers.commands().unlink(BookKeys.all(productId));
    await()
        .atMost(LIMIT)
        .until(() -> "REBUILD_REQUIRED".equals(listed().path("admission").asText()));
    assertThat(health()).contains("sale " + productId);
    assertThat(shop.createSale(productId, 10).code()).isEqualTo("REBUILD_REQUIRED");
    shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
    buy(3, 4);
    awaitSold(3);
  }

  @Test
  void shouldShutASaleWhoseBookKnowsLessThanMySqlAndOnlyNameWhatElseDiffers() {
    shop.openSale(productId, 10);
    buy(1, 3);
    awaitSold(2);
    servers.insertOrder(productId, 50, "k", "SUCCESS");
    await()
        .atMost(LIMIT)
        .until(() -> "REBUILD_REQUIRED".equals(listed().path("admission").asText()));
    assertThat(listed().path("admissionReason").asText())
        .contains("MySQL has orders of 3 units, the book knows of 2");
    assertThat(shop.ledger(productId).path("balanced").asBoolean()).isFalse();
    assertThat(shop.buy(productId, 3, "k").status()).isEqualTo(503);
    shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
    buy(3, 4);
    awaitSold(4);

    servers.update("DELETE FROM seckill_orders WHERE product_id = ? AND user_id = 50", productId);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(health())
                    .contains("the book says 4 units are sold, MySQL has orders of 3"));
    buy(4, 5);
    assertThat(listed().path("admission").asText()).isEqualTo("OPEN");
  }

  @Test
  void shouldTellEveryNodeOfUnitsThatWereRestockedOrReturned() throws Exception {
    try (TestApplication second = servers.application()) {
      shop.openSale(productId, 1);
      Shop other = second.shop();
      buy(1, 2);
      awaitSold(1);
      awaitState(other, "SOLD_OUT");
      shop.admin("POST", "/admin/sales/" + productId + "/restock", Map.of("units", 1), "r");
      awaitState(other, "ON_SALE");
      assertThat(
              await()
                  .atMost(LIMIT)
                  .until(() -> other.buy(productId, 2, "k").status(), status -> status != 503))
          .isEqualTo(202);
      awaitSold(2);
      awaitState(other, "SOLD_OUT");

      RouteController routes = application.camelContext().getRouteController();
      RouteController othersRoutes = second.camelContext().getRouteController();
      shop.admin("POST", "/admin/sales/" + productId + "/restock", Map.of("units", 1), "r2");
      routes.stopRoute("outbox-relay");
      othersRoutes.stopRoute("outbox-relay");
      buy(3, 4);
      awaitState(other, "SOLD_OUT");
      servers.insertOrder(productId, 3, "k", "FAIL_SYSTEM");
      routes.startRoute("outbox-relay");
      awaitState(other, "ON_SALE");
      assertThat(shop.result(3, "k", productId).member("status")).isEqualTo("FAIL_SYSTEM");
    }
  }

  private void awaitState(Shop node, String state) {
    await().atMost(LIMIT).until(() -> node.sale(productId).member("state"), state::equals);
  }
}
