package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.seckill.book.AdmissionGuard;
import io.seckill.book.BookKeys;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was read from a Redis that is gone, and what a node did that was cut short. */
class FencingIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final long productId = Products.next();
  private OwnServers servers;
  private Shop shop;

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void shouldNotSellAUnitTwiceThatARelayReadFromARedisThatIsGone(String strategy) throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(Map.of("seckill.strategy", strategy))) {
      begin(own, node, 1);
      Path copy = servers.copyOfRedis();
      node.camelContext().getRouteController().stopRoute("outbox-relay");
      buy(1);
      OrderRecord slept = waiting();
      servers.restartRedisFrom(copy);
      node.camelContext().getRouteController().startRoute("outbox-relay");
      buy(2);
      awaitStatus(2, "SUCCESS");

      send(slept);

      awaitStatus(1, "FAIL_SYSTEM");
      assertThat(servers.ordered(productId)).isEqualTo(1);
      assertBalanced(1, 0);
    }
  }

  @Test
  void shouldNotLetAKeyBeginAgainThatHasEnded() throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application()) {
      begin(own, node, 5);
      node.camelContext().getRouteController().stopRoute("outbox-relay");
      Path copy = servers.copyOfRedis();
      buy(1);
      OrderRecord slept = waiting();
      servers.restartRedisFrom(copy);
      node.camelContext().getRouteController().startRoute("outbox-relay");
      buy(2);
      send(slept);
      awaitStatus(1, "FAIL_SYSTEM");
      awaitFailedInBook(slept);

      Shop.Reply again = shop.buy(productId, 1, "k");
      assertThat(again.member("status")).as(again.text()).isEqualTo("FAIL_SYSTEM");
      assertThat(shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null).status())
          .isEqualTo(200);
      assertThat(shop.buy(productId, 1, "k").member("status")).isEqualTo("FAIL_SYSTEM");
      assertThat(shop.buy(productId, 1, "other").status()).isEqualTo(202);
    }
  }

  /** What MySQL has ended comes to the book a moment later. */
  private void awaitFailedInBook(OrderRecord order) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                servers
                    .commands()
                    .hexists(BookKeys.users(productId), order.userId() + "|" + order.idemKey()));
  }

  @Test
  void shouldSellNothingOfASettledSaleWhateverRedisSays() {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application()) {
      begin(own, node, 10);
      buy(1);
      awaitStatus(1, "SUCCESS");
      Path copy = servers.copyOfRedis();
      assertThat(shop.admin("POST", "/admin/sales/" + productId + "/end", null).status())
          .isEqualTo(200);
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  shop.admin("POST", "/admin/sales/" + productId + "/settle", null).status()
                      == 200);
      servers.restartRedisFrom(copy);

      Shop.Reply refused =
          await()
              .atMost(LIMIT)
              .until(() -> shop.buy(productId, 2, "k"), reply -> reply.status() != 503);
      assertThat(refused.code()).as(refused.text()).isEqualTo("FAIL_ENDED");
      assertThat(shop.result(1, "k", productId).member("status")).isEqualTo("SUCCESS");
      assertThat(shop.result(2, "k", productId).code()).isEqualTo("UNKNOWN_REQUEST");
      assertThat(shop.ledger(productId).path("sold").asLong()).isEqualTo(1);

      AdmissionGuard guard = node.bean(AdmissionGuard.class);
      guard.close(productId);
      await("the sale leaves the guard").atMost(LIMIT).until(() -> guard.closed().isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void shouldWriteOrdersOfTheEpochBeforeThatTheBookStillHolds(String strategy) throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application(Map.of("seckill.strategy", strategy))) {
      begin(own, node, 10);
      node.camelContext().getRouteController().stopRoute("order-writer");
      buy(1);
      buy(2);
      await().atMost(LIMIT).until(() -> shop.ledger(productId).path("outbox").asLong() == 0);
      node.camelContext().getRouteController().stopRoute("outbox-relay");
      buy(3);
      long epoch = epoch();
      servers.redis().stop();
      servers.redis().start();
      buy(4);
      assertThat(epoch()).isGreaterThan(epoch);

      node.camelContext().getRouteController().startRoute("order-writer");
      node.camelContext().getRouteController().startRoute("outbox-relay");

      for (long user = 1; user <= 4; user++) {
        awaitStatus(user, "SUCCESS");
      }
      assertBalanced(4, 6);
    }
  }

  @Test
  void shouldTakeUpAnAdoptionThatWasCutShortAndNoBookWithoutItsNote() {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application()) {
      begin(own, node, 10);
      buy(1);
      awaitStatus(1, "SUCCESS");
      long epoch = epoch();
      servers.commands().hset(BookKeys.sale(productId), "fencing", Long.toString(epoch + 1));
      servers.update("UPDATE products SET epoch = epoch + 1 WHERE id = ?", productId);
      servers.redis().stop();
      servers.redis().start();
      buy(2);
      awaitStatus(2, "SUCCESS");
      assertThat(epoch()).isEqualTo(epoch + 2);

      servers.update("UPDATE products SET epoch = epoch + 1 WHERE id = ?", productId);
      servers.redis().stop();
      servers.redis().start();
      await().atMost(LIMIT).until(() -> "REBUILD_REQUIRED".equals(admission()));
      assertThat(shop.buy(productId, 3, "k").status()).isEqualTo(503);
      assertThat(epoch()).isEqualTo(epoch + 3);
    }
  }

  @Test
  void shouldOnlyCompareABookThatAnotherNodeHasAdopted() throws Exception {
    try (OwnServers own = OwnServers.start();
        TestApplication node = own.application()) {
      begin(own, node, 10);
      buy(1);
      awaitStatus(1, "SUCCESS");
      servers.redis().stop();
      servers.redis().start();
      buy(2);
      awaitStatus(2, "SUCCESS");
      long epoch = epoch();
      try (TestApplication second = own.application()) {
        Shop other = second.shop();
        await().atMost(LIMIT).until(() -> other.buy(productId, 3, "k").status() == 202);
        assertThat(epoch()).isEqualTo(epoch);
      }
    }
  }

  private void begin(OwnServers own, TestApplication node, long stock) {
    servers = own;
    shop = node.shop();
    shop.openSale(productId, stock);
  }

  private void buy(long user) {
    await()
        .atMost(LIMIT)
        .until(() -> shop.buy(productId, user, "k").status(), status -> status == 202);
  }

  private void awaitStatus(long user, String status) {
    await("the end of user " + user)
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(shop.result(user, "k", productId).member("status")).isEqualTo(status));
  }

  private void assertBalanced(long sold, long available) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              JsonNode ledger = shop.ledger(productId);
              assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
              assertThat(ledger.path("sold").asLong()).as(ledger.toString()).isEqualTo(sold);
              assertThat(ledger.path("available").asLong())
                  .as(ledger.toString())
                  .isEqualTo(available);
            });
  }

  private String admission() {
    for (JsonNode sale : shop.admin("GET", "/admin/sales", null).json().path("sales")) {
      if (sale.path("productId").asLong() == productId) {
        return sale.path("admission").asText();
      }
    }
    throw new AssertionError("not listed");
  }

  private long epoch() {
    return servers.number("SELECT epoch FROM products WHERE id = ?", productId);
  }

  /** What a relay reads that then sleeps. */
  private OrderRecord waiting() {
    List<StreamMessage<String, String>> entries =
        servers.commands().xrange(BookKeys.outbox(productId), Range.unbounded());
    assertThat(entries).hasSize(1);
    Map<String, String> entry = entries.get(0).getBody();
    return new OrderRecord(
        OrderRecord.VERSION,
        entry.get("requestId"),
        productId,
        Long.parseLong(entry.get("userId")),
        Integer.parseInt(entry.get("quantity")),
        entry.get("idemKey"),
        Long.parseLong(entry.get("epoch")),
        entries.get(0).getId(),
        0);
  }

  /** What it does when it wakes. */
  private void send(OrderRecord order) throws Exception {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            TestServers.get().kafkaClient(), new StringSerializer(), new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  servers.ordersTopic(), order.recordKey(), new OrderJson().write(order)))
          .get();
    }
  }
}
