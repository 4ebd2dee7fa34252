package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.book.AdmissionGuard;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.camel.spi.RouteController;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Redis that comes back from a copy which lacks nothing but the ends of reservations. Buyers were
 * told these ends. No node may take one back.
 */
class MissedEndsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Nothing but the adoption may end what the copy holds as pending. */
  private static final String NO_SWEEPER = "3600000";

  private final long productId = Products.next();
  private OwnServers servers;
  private Shop shop;

  @ParameterizedTest
  @CsvSource({"A, order-writer", "A, outbox-relay", "B, order-writer", "B, outbox-relay"})
  void shouldNotTakeBackWhatBuyersWereTold(String strategy, String holding) throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(properties(strategy))) {
      begin(own, node, 10);
      RouteController routes = node.camelContext().getRouteController();
      routes.stopRoute(holding);
      buy(1, 4);
      insertFailed(3);
      if (holding.equals("order-writer")) {
        await().atMost(LIMIT).until(() -> shop.ledger(productId).path("outbox").asLong() == 0);
      }
      Path copy = servers.copyOfRedis();
      routes.startRoute(holding);
      awaitStatus(1, "SUCCESS");
      awaitStatus(2, "SUCCESS");
      awaitStatus(3, "FAIL_SYSTEM");
      routes.stopRoute(holding);

      List<String> told = toldWhileRedisComesBackFrom(copy, Map.of("node", shop), 3);

      assertThat(told).isEmpty();
      assertThat(shop.buy(productId, 1, "k").member("status")).isEqualTo("SUCCESS");
      assertThat(shop.buy(productId, 3, "k").member("status")).isEqualTo("FAIL_SYSTEM");
      routes.startRoute(holding);
      assertThat(shop.buy(productId, 3, "other").status()).isEqualTo(202);
      servers.awaitSold(shop, productId, 4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void shouldNotTakeItBackOnAnyNode(String strategy) throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(properties(strategy));
        TestApplication second = own.application(properties(strategy))) {
      begin(own, node, 10);
      second.shop().awaitAdmitting(productId);
      List<RouteController> routes =
          List.of(
              node.camelContext().getRouteController(), second.camelContext().getRouteController());
      for (RouteController each : routes) {
        each.stopRoute("order-writer");
      }
      buy(1, 4);
      await().atMost(LIMIT).until(() -> shop.ledger(productId).path("outbox").asLong() == 0);
      Path copy = servers.copyOfRedis();
      for (RouteController each : routes) {
        each.startRoute("order-writer");
      }
      servers.awaitSold(shop, productId, 3);

      List<String> told =
          toldWhileRedisComesBackFrom(copy, Map.of("node", shop, "second", second.shop()), 3);

      assertThat(told).isEmpty();
      servers.awaitSold(shop, productId, 5);
    }
  }

  @Test
  void shouldNotLetAKeyBeginAgainWhoseTombstoneTheCopyLacks() {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(properties("A"))) {
      begin(own, node, 10);
      buy(1, 2);
      awaitStatus(1, "SUCCESS");
      Path copy = servers.copyOfRedis();
      insertFailed(2);
      awaitStatus(2, "FAIL_SYSTEM");

      servers.restartRedisFrom(copy);
      awaitOpen(shop, 50);

      assertThat(shop.buy(productId, 2, "k").member("status")).isEqualTo("FAIL_SYSTEM");
      assertThat(shop.buy(productId, 2, "other").status()).isEqualTo(202);
      servers.awaitSold(shop, productId, 3);
    }
  }

  @Test
  void shouldStayClosedUntilMySqlHasToldWhatTheBookMissed() throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(properties("A"))) {
      begin(own, node, 10);
      buy(1, 2);
      awaitStatus(1, "SUCCESS");
      long epoch = epoch();
      // the statement of the failed rows alone reads this column
      servers.update("ALTER TABLE seckill_orders RENAME COLUMN reason TO why");
      servers.redis().stop();
      servers.redis().start();

      await().atMost(LIMIT).untilAsserted(() -> assertThat(reason()).contains("BadSqlGrammar"));
      assertThat(shop.buy(productId, 2, "k").status()).isEqualTo(503);
      assertThat(epoch()).isEqualTo(epoch);

      servers.update("ALTER TABLE seckill_orders RENAME COLUMN why TO reason");
      buy(2, 3);
      servers.awaitSold(shop, productId, 2);
    }
  }

  /** The writer has died between its commit and its confirmation. */
  @ParameterizedTest
  @ValueSource(strings = {"SUCCESS", "FAIL_SYSTEM", "FAIL_SOLD_OUT"})
  void shouldTellNothingFromMySqlThatTheBookTakesBack(String status) throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(properties("A"));
        TestApplication second = own.application(properties("A"))) {
      begin(own, node, 10);
      second.shop().awaitAdmitting(productId);
      node.camelContext().getRouteController().stopRoute("outbox-relay");
      second.camelContext().getRouteController().stopRoute("outbox-relay");
      buy(1, 2);
      servers.insertOrder(productId, 1, "k", status);
      assertThat(shop.result(1, "k", productId).member("status")).isEqualTo("PENDING");
      second.camelContext().getRouteController().stopRoute("book-verification");
      second.bean(AdmissionGuard.class).close(productId);

      assertThat(second.shop().result(1, "k", productId).member("status")).isEqualTo(status);

      assertThat(shop.result(1, "k", productId).member("status")).isEqualTo(status);
      assertThat(shop.buy(productId, 1, "k").member("status")).isEqualTo(status);
      JsonNode ledger = shop.ledger(productId);
      assertThat(ledger.path("pending").asLong()).as(ledger.toString()).isZero();
      assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
      second.camelContext().getRouteController().startRoute("book-verification");
    }
  }

  @Test
  void shouldFollowManyEndsPageByPage() throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(properties("A"))) {
      begin(own, node, 2_000);
      RouteController routes = node.camelContext().getRouteController();
      routes.stopRoute("order-writer");
      List<CompletableFuture<Shop.Reply>> bought =
          LongStream.rangeClosed(1, 1_300)
              .mapToObj(user -> shop.buyAsync(productId, user, "k", null))
              .toList();
      assertThat(bought).extracting(reply -> reply.join().status()).containsOnly(202);
      await().atMost(LIMIT).until(() -> shop.ledger(productId).path("outbox").asLong() == 0);
      Path copy = servers.copyOfRedis();
      routes.startRoute("order-writer");
      servers.awaitSold(shop, productId, 1_300);
      for (int user = 2_001; user < 2_602; user++) {
        insertFailed(user);
      }

      servers.restartRedisFrom(copy);
      awaitOpen(shop, 50_000);

      servers.awaitSold(shop, productId, 1_301);
      assertThat(shop.ledger(productId).path("released").asLong()).isEqualTo(601);
      assertThat(shop.buy(productId, 2_601, "k").member("status")).isEqualTo("FAIL_SYSTEM");
    }
  }

  private static Map<String, String> properties(String strategy) {
    return Map.of("seckill.strategy", strategy, "seckill.sweeper.pending-limit", NO_SWEEPER);
  }

  private void begin(OwnServers own, TestApplication node, long stock) {
    servers = own;
    shop = node.shop();
    shop.openSale(productId, stock);
  }

  private void buy(int from, int to) {
    for (int user = from; user < to; user++) {
      assertThat(shop.buyOnceOpen(productId, user, "k").status()).isEqualTo(202);
    }
  }

  private void awaitStatus(long user, String status) {
    await("the end of user " + user)
        .atMost(LIMIT)
        .until(() -> status.equals(shop.result(user, "k", productId).member("status")));
  }

  private long epoch() {
    return servers.number("SELECT epoch FROM products WHERE id = ?", productId);
  }

  private String reason() {
    return shop.admin("GET", "/admin/sales", null).json().path("sales").toString();
  }

  /** A new buyer gets a unit. */
  private void awaitOpen(Shop node, long buyer) {
    assertThat(node.buyOnceOpen(productId, buyer, "new").status()).isEqualTo(202);
  }

  /**
   * Asks every node for the first buyers' results, from before Redis comes back until each node has
   * sold to a new buyer, and once more.
   *
   * @return the answers that tell another status than before
   */
  private List<String> toldWhileRedisComesBackFrom(Path copy, Map<String, Shop> nodes, int buyers) {
    Map<Long, String> before = new HashMap<>();
    for (long user = 1; user <= buyers; user++) {
      before.put(user, shop.result(user, "k", productId).member("status"));
    }
    servers.restartRedisFrom(copy);
    List<String> others = new ArrayList<>();
    Map<String, Long> newBuyers = new HashMap<>();
    nodes.keySet().forEach(name -> newBuyers.put(name, 100L + newBuyers.size()));
    Map<String, Shop> closed = new HashMap<>(nodes);
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              closed
                  .entrySet()
                  .removeIf(
                      node ->
                          node.getValue().buy(productId, newBuyers.get(node.getKey()), "k").status()
                              != 503);
              boolean open = closed.isEmpty();
              nodes.forEach((name, node) -> others.addAll(told(name, node, before)));
              return open;
            });
    return others;
  }

  private List<String> told(String name, Shop node, Map<Long, String> before) {
    List<String> others = new ArrayList<>();
    before.forEach(
        (user, status) -> {
          Shop.Reply reply = node.result(user, "k", productId);
          if (reply.status() != 503 && !status.equals(reply.member("status"))) {
            others.add(name + " tells user " + user + ": " + reply.text());
          }
        });
    return others;
  }

  private void insertFailed(long user) {
    servers.insertOrder(productId, user, "k", "FAIL_SYSTEM");
  }
}
