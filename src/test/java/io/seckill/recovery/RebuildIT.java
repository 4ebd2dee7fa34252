package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.book.BookKeys;
import io.seckill.book.script.AcknowledgeReply.Acknowledged;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.RequestId;
import io.seckill.redis.ScriptCall;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RebuildIT {
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

  @AfterEach
  void resumeRoutes() throws Exception {
    application.camelContext().getRouteController().startRoute("outbox-relay");
    application.camelContext().getRouteController().startRoute("order-writer");
  }

  private static void stopRoute(String id) throws Exception {
    application.camelContext().getRouteController().stopRoute(id);
  }

  private static void startRoute(String id) throws Exception {
    application.camelContext().getRouteController().startRoute(id);
  }

  private void sale(long stock) {
    assertThat(shop.createSale(productId, stock).status()).isEqualTo(201);
    shop.awaitAdmitting(productId);
  }

  private Shop.Reply rebuild() {
    return shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
  }

  private JsonNode rebuilt() {
    Shop.Reply reply = rebuild();
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply.json();
  }

  private List<Shop.Reply> buy(int from, int to) {
    List<CompletableFuture<Shop.Reply>> replies = new ArrayList<>();
    for (int user = from; user < to; user++) {
      replies.add(shop.buyAsync(productId, user, "k", null));
    }
    return replies.stream().map(CompletableFuture::join).toList();
  }

  private void unlinkBook() {
    servers.commands().unlink(BookKeys.all(productId));
  }

  @Test
  void shouldNeitherOversellNorUndersellAfterAFlushInMidSale() {
    sale(50);
    Map<Long, String> accepted = new ConcurrentHashMap<>();
    List<Shop.Reply> early = new ArrayList<>(buy(1, 21));
    await().atMost(LIMIT).until(() -> servers.ordered(productId) > 0);
    early.addAll(buy(21, 31));
    for (int i = 0; i < early.size(); i++) {
      assertThat(early.get(i).status()).isEqualTo(202);
      accepted.put(i + 1L, early.get(i).requestId());
    }
    servers.commands().flushall();

    Shop.Reply during = shop.buy(productId, 100, "k");
    assertThat(during.status()).isEqualTo(503);
    assertThat(during.header("Retry-After")).isPresent();
    assertThat(shop.result(1, "k", productId).status()).isIn(200, 503);
    assertThat(shop.result(101, "k", productId).status())
        .as("an unknown request while the book is missing")
        .isEqualTo(503);

    JsonNode report = rebuilt();
    assertThat(report.path("epoch").asLong()).isEqualTo(2);
    assertThat(report.path("before").isNull()).isTrue();
    List<String> lost = new ArrayList<>();
    report.path("lostRequestIds").forEach(id -> lost.add(id.asText()));
    assertThat(report.path("after").path("sold").asLong()).isEqualTo(30 - lost.size()).isPositive();

    shop.buyOnceOpen(productId, 1_000, "k");
    buy(1_001, 1_080);
    servers.awaitSold(shop, productId, 50);
    accepted.forEach(
        (user, requestId) -> {
          Shop.Reply result = shop.resultOf(user, requestId);
          if (lost.contains(requestId)) {
            assertThat(result.status()).isEqualTo(404);
          } else {
            assertThat(result.member("status")).isEqualTo("SUCCESS");
          }
        });
    assertThat(shop.buy(productId, 5_000, "k").code()).isEqualTo("FAIL_SOLD_OUT");
    if (!lost.contains(accepted.get(1L))) {
      Shop.Reply again = shop.buy(productId, 1, "k");
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.requestId()).isEqualTo(accepted.get(1L));
      assertThat(shop.buy(productId, 1, "other").code()).isEqualTo("FAIL_DUPLICATE");
    }
  }

  @Test
  void shouldNameWhatWasLostBeforeKafkaKnewIt() throws Exception {
    sale(10);
    String kept = buy(1, 2).get(0).requestId();
    servers.awaitSold(shop, productId, 1);
    stopRoute("outbox-relay");
    List<String> admitted = buy(2, 5).stream().map(Shop.Reply::requestId).toList();
    unlinkBook();
    startRoute("outbox-relay");

    JsonNode report = rebuilt();
    assertThat(report.path("lost").asInt()).isEqualTo(3);
    List<String> lost = new ArrayList<>();
    report.path("lostRequestIds").forEach(id -> lost.add(id.asText()));
    assertThat(lost).containsExactlyInAnyOrderElementsOf(admitted).doesNotContain(kept);

    assertThat(shop.resultOf(2, admitted.get(0)).status()).isEqualTo(404);
    assertThat(shop.buyOnceOpen(productId, 2, "k").requestId()).isEqualTo(admitted.get(0));
    servers.awaitSold(shop, productId, 2);
  }

  @Test
  void shouldLetEachNodeNameWhatItHasAdmittedItself() throws Exception {
    try (TestApplication second = servers.application()) {
      sale(10);
      stopRoute("outbox-relay");
      second.camelContext().getRouteController().stopRoute("outbox-relay");
      String own = shop.buyOnceOpen(productId, 1, "k").requestId();
      await()
          .atMost(LIMIT)
          .until(() -> second.shop().buy(productId, 2, "k").status(), status -> status == 202);
      unlinkBook();
      JsonNode report = rebuilt();
      assertThat(report.path("lostRequestIds")).hasSize(1);
      assertThat(report.path("lostRequestIds").get(0).asText()).isEqualTo(own);

      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(metrics(second)).contains("seckill_reservations_lost_total 1.0"));
    }
  }

  private static String metrics(TestApplication node) {
    return shop.send(
            HttpRequest.newBuilder(URI.create(node.managementUrl() + "/observe/metrics"))
                .GET()
                .build())
        .text();
  }

  @Test
  void shouldChangeNothingInADryRun() {
    sale(10);
    buy(1, 4);
    servers.awaitSold(shop, productId, 3);
    servers.commands().hset(BookKeys.users(productId), "2", "9-9-x|k|1|PENDING|1-1||");
    Map<String, Object> before = everything();

    for (String query : List.of("?dryRun=true", "")) {
      Shop.Reply reply =
          shop.admin(
              "POST",
              "/admin/sales/" + productId + "/rebuild" + query,
              query.isEmpty() ? Map.of("dryRun", true) : null);
      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      JsonNode report = reply.json();
      assertThat(report.path("dryRun").asBoolean()).isTrue();
      assertThat(report.path("before").path("sold").asLong()).isEqualTo(3);
      assertThat(report.path("after").path("sold").asLong()).isEqualTo(3);
      assertThat(report.path("after").path("available").asLong()).isEqualTo(7);
      assertThat(report.path("discrepancies").asLong()).isEqualTo(1);
      assertThat(report.path("differing").get(0).path("book").asText())
          .isEqualTo("PENDING of 9-9-x");
      assertThat(report.path("differing").get(0).path("mysql").asText()).isEqualTo("SUCCESS");
    }
    assertThat(everything()).isEqualTo(before);
    assertThat(shop.buy(productId, 7, "k").status()).isEqualTo(202);
  }

  private Map<String, Object> everything() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("sale", servers.commands().hgetall(BookKeys.sale(productId)));
    all.put("users", servers.commands().hgetall(BookKeys.users(productId)));
    all.put("keys", servers.commands().keys("seckill:{" + productId + "}:*").size());
    all.put(
        "row",
        servers.text(
            "SELECT CONCAT_WS('/', epoch, count, state, rebuild_since, updated_at) FROM products"
                + " WHERE id = ?",
            productId));
    all.put("audit", servers.number("SELECT COUNT(*) FROM admin_audit"));
    return all;
  }

  @Test
  void shouldTellADryRunWithoutABook() {
    sale(10);
    buy(1, 3);
    servers.awaitSold(shop, productId, 2);
    unlinkBook();
    JsonNode report =
        shop.admin("POST", "/admin/sales/" + productId + "/rebuild?dryRun=true", null).json();
    assertThat(report.path("before").isNull()).isTrue();
    assertThat(report.path("after").path("available").asLong()).isEqualTo(8);
    assertThat(servers.commands().exists(BookKeys.sale(productId))).isZero();
  }

  @Test
  void shouldAnswer503AndNeverAWrongAnswerWhileItRuns() throws Exception {
    sale(10);
    String first = buy(1, 2).get(0).requestId();
    servers.awaitSold(shop, productId, 1);
    stopRoute("order-writer");
    String second = buy(2, 3).get(0).requestId();
    CompletableFuture<Shop.Reply> rebuild = CompletableFuture.supplyAsync(this::rebuild);
    await("closed")
        .atMost(LIMIT)
        .until(() -> servers.commands().hexists(BookKeys.sale(productId), "closed"));

    Shop.Reply refused = shop.buy(productId, 3, "k");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.code()).isEqualTo("DEGRADED");
    assertThat(refused.header("Retry-After")).isPresent();
    assertThat(shop.buy(productId, 1, "k").status()).as("also for a known key").isEqualTo(503);
    assertThat(shop.resultOf(1, first).member("status")).isEqualTo("SUCCESS");
    assertThat(shop.resultOf(2, second).status()).isEqualTo(503);
    assertThat(shop.result(3, "k", productId).status()).isEqualTo(503);
    assertThat(rebuild().code()).as("a second rebuild").isEqualTo("REBUILDING");
    // MySQL takes these, and the book opens with them
    assertThat(shop.admin("POST", "/admin/sales/" + productId + "/resume", null).status())
        .isEqualTo(200);
    assertThat(
            shop.createSale(productId, Map.of("name", "Product " + productId, "stock", 10))
                .status())
        .isEqualTo(200);
    assertThat(shop.buy(productId, 3, "k").status()).isEqualTo(503);

    startRoute("order-writer");
    assertThat(rebuild.join().status()).isEqualTo(200);
    assertThat(shop.resultOf(2, second).member("status")).isEqualTo("SUCCESS");
    assertThat(shop.buyOnceOpen(productId, 3, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 3);
  }

  @Test
  void shouldTakeWhatAnAdministratorChangedMeanwhile() throws Exception {
    sale(10);
    stopRoute("order-writer");
    buy(1, 2);
    CompletableFuture<Shop.Reply> rebuild = CompletableFuture.supplyAsync(this::rebuild);
    await("closed")
        .atMost(LIMIT)
        .until(() -> servers.commands().hexists(BookKeys.sale(productId), "closed"));
    String sale = "/admin/sales/" + productId;
    Shop.Reply restocked = shop.admin("POST", sale + "/restock", Map.of("units", 5), "restock-1");
    assertThat(restocked.status()).as(restocked.text()).isEqualTo(200);
    Shop.Reply paused = shop.admin("POST", sale + "/pause", null);
    assertThat(paused.status()).as(paused.text()).isEqualTo(200);
    startRoute("order-writer");

    JsonNode report = rebuild.join().json();
    assertThat(report.path("after").path("restocked").asLong()).isEqualTo(5);
    assertThat(report.path("after").path("available").asLong()).isEqualTo(14);
    assertThat(shop.buy(productId, 2, "k").code()).isEqualTo("FAIL_PAUSED");
    assertThat(shop.admin("POST", "/admin/sales/" + productId + "/resume", null).status())
        .isEqualTo(200);
    assertThat(shop.buy(productId, 2, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 2);
  }

  @Test
  void shouldSendAgainWhatWasLostOnItsWay() throws Exception {
    sale(10);
    stopRoute("outbox-relay");
    String requestId = buy(1, 2).get(0).requestId();
    servers.commands().xtrim(BookKeys.outbox(productId), 0);
    startRoute("outbox-relay");

    JsonNode report = rebuilt();
    assertThat(report.path("sentAgain").asInt()).isEqualTo(1);
    assertThat(report.path("lost").asInt()).isZero();
    assertThat(shop.awaitEnd(1, requestId)).isEqualTo("SUCCESS");
    servers.awaitSold(shop, productId, 1);
  }

  @Test
  void shouldKeepSellingRightUnderLoad() throws Exception {
    sale(400);
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong users = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    Set<String> answers = ConcurrentHashMap.newKeySet();
    Map<Long, String> accepted = new ConcurrentHashMap<>();
    List<CompletableFuture<Void>> buyers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      buyers.add(
          CompletableFuture.runAsync(
              () -> {
                while (!over.get()) {
                  long user = users.incrementAndGet();
                  Shop.Reply reply = shop.buy(productId, user, "k");
                  answers.add(reply.status() + " " + reply.code());
                  if (reply.status() == 202) {
                    accepted.put(user, reply.requestId());
                  }
                }
              },
              threads));
    }
    await().atMost(LIMIT).until(() -> accepted.size() > 100);
    JsonNode first = rebuilt();
    assertThat(first.path("lost").asInt()).isZero();
    await().atMost(LIMIT).until(() -> accepted.size() > 200);
    JsonNode second = rebuilt();
    assertThat(second.path("lost").asInt()).isZero();
    await().atMost(LIMIT).until(() -> answers.contains("409 FAIL_SOLD_OUT"));
    over.set(true);
    buyers.forEach(CompletableFuture::join);
    threads.shutdown();

    servers.awaitSold(shop, productId, 400);
    assertThat(answers)
        .contains("202 null", "503 DEGRADED", "409 FAIL_SOLD_OUT")
        .isSubsetOf("202 null", "503 DEGRADED", "409 FAIL_SOLD_OUT", "429 THROTTLED");
    assertThat(second.path("epoch").asLong()).isEqualTo(3);
    assertThat(accepted).hasSize(400);
    assertThat(
            servers.number(
                "SELECT COUNT(DISTINCT user_id) FROM seckill_orders WHERE product_id = ? AND status"
                    + " = 'SUCCESS'",
                productId))
        .isEqualTo(400);
  }

  @Test
  void shouldTombstoneWhatARelayHeldThatSleptThroughIt() throws Exception {
    sale(3);
    buy(1, 2);
    servers.awaitSold(shop, productId, 1);
    stopRoute("outbox-relay");
    String asleep = buy(2, 3).get(0).requestId();
    var entry =
        servers
            .commands()
            .xrange(BookKeys.outbox(productId), io.lettuce.core.Range.unbounded())
            .get(0);
    unlinkBook();
    startRoute("outbox-relay");
    rebuilt();

    shop.buyOnceOpen(productId, 3, "k");
    buy(4, 5);
    send(record(2, 1, entry.getId()));
    assertThat(
            application
                .camelContext()
                .createFluentProducerTemplate()
                .withBody(ScriptCall.of(productId, "relay", entry.getId()))
                .to("redis-script:acknowledge")
                .request(Acknowledged.class))
        .isEqualTo(new Acknowledged(0));

    servers.awaitSold(shop, productId, 3);
    await()
        .atMost(LIMIT)
        .until(() -> "FAIL_SYSTEM".equals(shop.resultOf(2, asleep).member("status")));
    assertThat(shop.ledger(productId).path("available").asLong()).isZero();
    assertThat(shop.buy(productId, 9, "k").code()).isEqualTo("FAIL_SOLD_OUT");
  }

  @Test
  void shouldNotLetAKeyBeginAgainWhoseLateMessageWasEnded() {
    sale(3);
    buy(1, 2);
    servers.awaitSold(shop, productId, 1);
    unlinkBook();
    rebuilt();
    shop.buyOnceOpen(productId, 3, "k");
    send(record(4, 1, "5-5"));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                servers.number(
                        "SELECT COUNT(*) FROM seckill_orders WHERE product_id = ? AND status ="
                            + " 'FAIL_SYSTEM'",
                        productId)
                    == 1);
    await().atMost(LIMIT).until(() -> servers.commands().hexists(BookKeys.users(productId), "4|k"));
    Shop.Reply same = shop.buy(productId, 4, "k");
    assertThat(same.status()).isEqualTo(200);
    assertThat(same.member("status")).isEqualTo("FAIL_SYSTEM");
    assertThat(shop.buy(productId, 4, "new").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 3);
  }

  private OrderRecord record(long userId, long epoch, String outboxId) {
    return new OrderRecord(
        OrderRecord.VERSION,
        RequestId.of(productId, userId, "k").toString(),
        productId,
        userId,
        1,
        "k",
        epoch,
        outboxId,
        0);
  }

  private void send(OrderRecord record) {
    Map<String, Object> config = TestServers.kafkaClient(servers.properties(Map.of()));
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer())) {
      producer.send(
          new ProducerRecord<>(
              servers.ordersTopic(),
              record.productId() + "-" + record.userId(),
              new OrderJson().write(record)));
    }
  }

  @Test
  void shouldStayClosedWhenItCannotBeDrainedAndOpenWhenCalledAgain() throws Exception {
    try (TestApplication impatient =
        servers.application(Map.of("seckill.rebuild.drain-timeout", "300"))) {
      sale(10);
      stopRoute("order-writer");
      impatient.camelContext().getRouteController().stopRoute("order-writer");
      buy(1, 2);
      Shop.Reply reply =
          impatient.shop().admin("POST", "/admin/sales/" + productId + "/rebuild", null);
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.code()).isEqualTo("NOT_DRAINED");
      assertThat(shop.buy(productId, 2, "k").status()).isEqualTo(503);
      assertThat(
              servers.number(
                  "SELECT COUNT(*) FROM products WHERE id = ? AND rebuild_since IS NOT NULL",
                  productId))
          .isEqualTo(1);
      startRoute("order-writer");
      rebuilt();
      shop.buyOnceOpen(productId, 2, "k");
      servers.awaitSold(shop, productId, 2);
    }
  }

  @Test
  void shouldNotOpenASaleThatWasOversold() {
    sale(3);
    buy(1, 4);
    servers.awaitSold(shop, productId, 3);
    servers.insertOrder(productId, 77, "x", "SUCCESS");
    Shop.Reply refused = rebuild();
    assertThat(refused.code()).isEqualTo("OVERSOLD");
    assertThat(refused.json().path("sold").asLong()).isEqualTo(4);
    assertThat(shop.buy(productId, 9, "k").status()).isEqualTo(503);

    shop.admin("POST", "/admin/sales/" + productId + "/restock", Map.of("units", 2), "restock-2");
    rebuilt();
    assertThat(shop.buyOnceOpen(productId, 9, "k").status()).isEqualTo(202);
    servers.awaitSold(shop, productId, 5);
  }

  @Test
  void shouldCompensateWhatIsParked() {
    try (TestApplication manual = servers.application(Map.of("seckill.compensation", "manual"))) {
      sale(2);
      buy(1, 2);
      servers.awaitSold(shop, productId, 1);
      String requestId = parked(manual, 2);
      rebuilt();
      assertThat(shop.resultOf(2, requestId).member("status")).isEqualTo("FAIL_SYSTEM");
      assertThat(shop.buyOnceOpen(productId, 3, "k").status()).isEqualTo(202);
      servers.awaitSold(shop, productId, 2);
    }
  }

  /** A reservation whose record was refused and waits for a person. */
  private String parked(TestApplication manual, long userId) {
    String requestId = RequestId.of(productId, userId, "k").toString();
    servers.update(
        "INSERT INTO dead_letters (origin, request_id, product_id, user_id, payload, cause,"
            + " attempts, state, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 'refused', 1,"
            + " 'PARKED', 0, 0)",
        "test-" + productId,
        requestId,
        productId,
        userId,
        new OrderJson().write(record(userId, 1, "5-5")));
    assertThat(manual.shop().sale(productId).status()).isEqualTo(200);
    return requestId;
  }

  @Test
  void shouldRefuseWhoHasNoTokenOrAsksForNothingKnown() {
    assertThat(
            shop.send(
                    shop.request("/admin/sales/" + productId + "/rebuild")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build())
                .status())
        .isEqualTo(401);
    assertThat(rebuild().code()).isEqualTo("UNKNOWN_PRODUCT");
    assertThat(
            shop.admin("POST", "/admin/sales/" + productId + "/rebuild?dryRun=maybe", null).code())
        .isEqualTo("INVALID_REQUEST");
    assertThat(
            shop.admin("POST", "/admin/sales/" + productId + "/rebuild", Map.of("dry", true))
                .code())
        .isEqualTo("INVALID_REQUEST");
  }
}
