package io.seckill.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.contract.Mode.Difference;
import io.seckill.domain.RequestId;
import io.seckill.testing.Products;
import io.seckill.testing.ResultReader;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.model.Model;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.support.PluginHelper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Each row of the HTTP contract, and the invariants after a sale, in one {@link Mode}. What a mode
 * answers otherwise stands there, and is asserted here beside what the others answer.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContractSuite {
  private static final long BUYER = 4711;
  private static final long OTHER = 4712;

  private static final Pattern BEAN = Pattern.compile("(?:\\bref|Ref)=\"([^\"]+)\"");

  private final Mode mode;
  private TestApplication application;
  private Shop shop;
  private JdbcTemplate mysql;

  ContractSuite(Mode mode) {
    this.mode = mode;
  }

  @BeforeAll
  void start() {
    application = TestApplication.apart(mode.database, mode.redisDatabase, mode.properties);
    application.awaitReady();
    shop = application.shop();
    mysql = new JdbcTemplate(application.bean(DataSource.class));
  }

  @AfterAll
  void stop() {
    application.close();
  }

  @Test
  void shouldHaveEachBeanThatARouteNames() throws Exception {
    CamelContext context = application.camelContext();
    Model model = context.getCamelContextExtension().getContextPlugin(Model.class);
    Set<String> named = new TreeSet<>();
    for (RouteDefinition route : model.getRouteDefinitions()) {
      String xml = PluginHelper.getModelToXMLDumper(context).dumpModelAsXml(context, route);
      BEAN.matcher(xml).results().map(found -> found.group(1)).forEach(named::add);
    }
    assertThat(named)
        .contains("required", "orderWriter", "identifyBuyer", "countRetry")
        .allSatisfy(name -> assertThat(context.getRegistry().lookupByName(name)).isNotNull());
  }

  @Test
  void shouldAcceptAndEndAPurchase() {
    long product = sale(10, 1);

    Reply reply = shop.buy(product, BUYER, "k1");

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.header("Content-Type")).contains("application/json");
    assertThat(reply.header("Retry-After")).contains("1");
    assertThat(reply.header("Location"))
        .contains("/seckill/result?idemKey=k1&productId=" + product);
    assertThat(reply.requestId()).isEqualTo(RequestId.of(product, BUYER, "k1").toString());
    assertThat(reply.member("status")).isEqualTo("PENDING");
    assertThat(shop.awaitEnd(BUYER, reply.requestId())).isEqualTo("SUCCESS");
    Reply result = shop.get(reply.header("Location").orElseThrow(), BUYER);
    assertThat(result.json().fieldNames())
        .toIterable()
        .containsExactly("requestId", "idemKey", "productId", "status", "orderId");
    assertThat(result.requestId()).isEqualTo(reply.requestId());
    assertThat(result.member("idemKey")).isEqualTo("k1");
  }

  @Test
  void shouldAnswerWhoWaitsWithTheEnd() {
    long product = sale(10, 1);

    Reply reply =
        shop.send(
            shop.request("/seckill/" + product)
                .header("X-User-Id", "" + BUYER)
                .header("Idempotency-Key", "k1")
                .header("Prefer", "wait=20")
                .POST(BodyPublishers.noBody())
                .build());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.member("status")).isEqualTo("SUCCESS");
    assertThat(reply.header("Preference-Applied")).contains("wait=20");
    assertThat(shop.get("/seckill/result?idemKey=k1&wait=20&productId=" + product, BUYER).text())
        .isEqualTo(reply.text());
    assertThat(shop.get("/seckill/result?idemKey=k1&wait=-1", BUYER).code())
        .isEqualTo("INVALID_REQUEST");
  }

  @Test
  void shouldStreamWhatBecomesOfAPurchase() {
    long product = sale(10, 1);
    shop.buy(product, BUYER, "k1");

    try (ResultReader reader =
        ResultReader.open(shop, "idemKey=k1&productId=" + product, BUYER, null)) {
      reader.awaitEnd();
      assertThat(reader.told()).endsWith("k1 SUCCESS", "complete");
      assertThat(reader.lastResult()).isEqualTo(shop.result(BUYER, "k1", product).json());
    }
  }

  @Test
  void shouldAnswerTheSameKeyTheSameAlsoAfterTheStockHasRunOut() {
    long product = sale(1, 1);
    String first = shop.buy(product, BUYER, "k1").requestId();
    assertThat(shop.buy(product, BUYER, "k1").requestId()).isEqualTo(first);
    assertThat(shop.awaitEnd(BUYER, first)).isEqualTo("SUCCESS");

    Reply again = shop.buy(product, BUYER, "k1");

    assertThat(again.status()).isEqualTo(200);
    assertThat(again.requestId()).isEqualTo(first);
    assertThat(again.member("status")).isEqualTo("SUCCESS");
    assertThat(again.json().path("orderId").asLong()).isPositive();
  }

  @Test
  void shouldRefuseAKeyWithAnotherQuantity() {
    long product = sale(10, 5);
    String first = shop.buy(product, BUYER, "k1", 2).requestId();
    assertRefused(shop.buy(product, BUYER, "k1", 3), 422, "KEY_REUSED");
    assertThat(shop.awaitEnd(BUYER, first)).isEqualTo("SUCCESS");
    assertRefused(shop.buy(product, BUYER, "k1", 3), 422, "KEY_REUSED");
  }

  @Test
  void shouldSellABuyerOnePurchase() {
    long product = sale(10, 1);
    String first = shop.buy(product, BUYER, "first").requestId();
    assertThat(shop.awaitEnd(BUYER, first)).isEqualTo("SUCCESS");

    Reply second = shop.buy(product, BUYER, "second");

    assertRefused(second, 409, "FAIL_DUPLICATE");
    assertThat(second.requestId()).isEqualTo(first);
    assertThat(second.member("idemKey")).isEqualTo("first");
    assertThat(shop.resultOf(BUYER, first).member("status")).isEqualTo("SUCCESS");
    assertThat(shop.awaitRest(product).path("sold").asLong()).isEqualTo(1);
  }

  @Test
  void shouldTellThatTooFewUnitsAreLeft() {
    long product = sale(3, 3);
    assertThat(shop.awaitEnd(BUYER, shop.buy(product, BUYER, "k", 2).requestId()))
        .isEqualTo("SUCCESS");

    Reply tooMany = buyUntilRefused(product, "k", 2);

    assertRefused(tooMany, 409, "FAIL_SOLD_OUT");
    assertThat(tooMany.json().path("available").asLong()).isEqualTo(1);
    assertThat(shop.awaitEnd(OTHER, shop.buy(product, OTHER, "smaller", 1).requestId()))
        .isEqualTo("SUCCESS");
  }

  @Test
  void shouldSellWhatIsRestocked() {
    long product = sale(1, 1);
    assertThat(shop.awaitEnd(BUYER, shop.buy(product, BUYER, "k").requestId()))
        .isEqualTo("SUCCESS");
    Reply soldOut = buyUntilRefused(product, "k", 1);
    assertRefused(soldOut, 409, "FAIL_SOLD_OUT");

    String path = "/admin/sales/" + product + "/restock";
    assertThat(shop.admin("POST", path, Map.of("units", 1), "r1").status()).isEqualTo(200);
    assertThat(shop.admin("POST", path, Map.of("units", 1), "r1").status()).isEqualTo(200);
    assertRefused(shop.admin("POST", path, Map.of("units", 2), "r1"), 422, "KEY_REUSED");

    Reply sameKey = shop.buy(product, OTHER, soldOut.member("idemKey"));
    assertThat(shop.awaitEnd(OTHER, sameKey.requestId())).isEqualTo("SUCCESS");
    JsonNode ledger = shop.awaitRest(product);
    assertThat(ledger.path("restocked").asLong()).isEqualTo(1);
    assertThat(ledger.path("sold").asLong()).isEqualTo(2);
    assertThat(ledger.path("available").asLong()).isZero();
    assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
  }

  /** The first refusal at once, whatever the key; its key was not recorded. */
  private Reply buyUntilRefused(long product, String key, int quantity) {
    Reply reply = shop.buy(product, OTHER, key, quantity);
    if (!mode.has(Difference.SOLD_OUT_AFTER_A_202)) {
      assertThat(reply.member("idemKey")).isEqualTo(key);
      return reply;
    }
    for (int attempt = 1; reply.status() == 202; attempt++) {
      assertThat(attempt).as("attempts that were recorded").isLessThan(100);
      assertThat(shop.awaitEnd(OTHER, reply.requestId())).isEqualTo("FAIL_SOLD_OUT");
      String spent = attempt == 1 ? key : key + (attempt - 1);
      assertThat(shop.buy(product, OTHER, spent, quantity).member("status"))
          .isEqualTo("FAIL_SOLD_OUT");
      reply = shop.buy(product, OTHER, key + attempt, quantity);
    }
    return reply;
  }

  @Test
  void shouldKeepToTheWindow() {
    Instant now = Instant.now();
    Map<String, Object> later = terms(10, 1);
    later.put("startsAt", now.plus(1, ChronoUnit.HOURS).toString());
    long product = sale(later);

    Reply early = shop.buy(product, BUYER, "k");
    assertRefused(early, 409, "FAIL_NOT_STARTED");
    assertThat(Instant.parse(early.member("startsAt"))).isAfter(now);
    assertThat(early.header("Retry-After")).isPresent();
    assertThat(shop.sale(product).member("state")).isEqualTo("SCHEDULED");

    Map<String, Object> over = terms(10, 1);
    over.put("endsAt", now.minus(1, ChronoUnit.HOURS).toString());
    long ended = sale(over);
    assertRefused(shop.buy(ended, BUYER, "k"), 409, "FAIL_ENDED");
    assertThat(shop.sale(ended).member("state")).isEqualTo("ENDED");
  }

  @Test
  void shouldPauseResumeAndEnd() {
    long product = sale(10, 1);
    assertThat(change(product, "pause").status()).isEqualTo(200);
    assertThat(change(product, "pause").status()).isEqualTo(200);
    assertRefused(shop.buy(product, BUYER, "k"), 409, "FAIL_PAUSED");
    assertThat(shop.sale(product).member("state")).isEqualTo("PAUSED");

    assertThat(change(product, "resume").status()).isEqualTo(200);
    assertThat(shop.awaitEnd(BUYER, shop.buy(product, BUYER, "k").requestId()))
        .isEqualTo("SUCCESS");

    assertThat(change(product, "end").status()).isEqualTo(200);
    assertRefused(shop.buy(product, OTHER, "k"), 409, "FAIL_ENDED");
    assertThat(shop.buy(product, BUYER, "k").status()).isEqualTo(200);
    assertRefused(change(product, "resume"), 409, "SALE_ENDED");
  }

  @Test
  void shouldRefuseMoreThanTheLimit() {
    long product = sale(10, 2);

    Reply reply = shop.buy(product, BUYER, "k", 3);

    assertRefused(reply, 409, "FAIL_LIMIT");
    assertThat(reply.json().path("maxQuantity").asInt()).isEqualTo(2);
    assertThat(reply.member("idemKey")).isEqualTo("k");
  }

  @Test
  void shouldRefuseWhatIsUnknownOrMalformed() {
    long product = sale(10, 1);

    assertRefused(shop.buy(Products.next(), BUYER, "k"), 404, "UNKNOWN_PRODUCT");
    assertRefused(shop.sale(Products.next()), 404, "UNKNOWN_PRODUCT");
    assertRefused(shop.buy(product, BUYER, "not a key"), 400, "INVALID_REQUEST");
    assertRefused(shop.buy(product, BUYER, "k", 0), 400, "INVALID_REQUEST");
    assertRefused(
        shop.send(shop.request("/seckill/" + product).POST(BodyPublishers.noBody()).build()),
        401,
        "UNAUTHENTICATED");
    assertRefused(post(product, "text/plain", "1"), 415, "UNSUPPORTED_MEDIA_TYPE");
    assertRefused(post(product, "application/json", " ".repeat(5000)), 413, "BODY_TOO_LARGE");
  }

  @Test
  void shouldTakeAKeyInQuotesForTheSame() {
    long product = sale(10, 1);

    Reply bare = shop.buy(product, BUYER, "k1");
    Reply quoted = shop.buy(product, BUYER, "\"k1\"");
    assertThat(quoted.requestId()).isEqualTo(bare.requestId());
    assertThat(quoted.member("idemKey")).isEqualTo("k1");
    assertThat(shop.result(BUYER, "\"k1\"", product).requestId()).isEqualTo(bare.requestId());

    Reply other = shop.buy(product, OTHER, "\"k1\"");
    assertThat(shop.buy(product, OTHER, "k1").requestId()).isEqualTo(other.requestId());
    for (String malformed : List.of("\"k2", "k2\"", "'k2'", "\"\"k2\"\"", "\"k2\";p", "\"\"")) {
      assertRefused(shop.buy(product, OTHER, malformed), 400, "INVALID_REQUEST");
    }
  }

  @Test
  void shouldThrottle() {
    Map<String, Object> terms = terms(10, 1);
    terms.put("ratePerSecond", 1);
    long product = sale(terms);

    Map<Integer, Reply> byStatus = new TreeMap<>();
    for (int i = 0; i < 200 && !byStatus.containsKey(429); i++) {
      Reply reply = shop.buy(product, BUYER + i, "k");
      byStatus.put(reply.status(), reply);
    }

    assertRefused(byStatus.get(429), 429, "THROTTLED");
    assertThat(byStatus.get(429).header("Retry-After")).contains("1");
    assertThat(byStatus.get(429).member("limit")).isEqualTo("product");
    assertThat(byStatus.get(429).header("RateLimit-Policy")).contains("\"product\";q=1;w=1");
    assertThat(byStatus.get(429).header("RateLimit")).contains("\"product\";r=0;t=1");
    assertThat(byStatus.get(202).header("RateLimit")).contains("\"product\";r=0;t=1");
  }

  @Test
  void shouldTellResultsToTheirBuyerOnly() {
    long product = sale(10, 1);
    String key = "key-" + product;
    String requestId = shop.buy(product, BUYER, key).requestId();
    assertThat(shop.awaitEnd(BUYER, requestId)).isEqualTo("SUCCESS");

    assertThat(shop.result(BUYER, key, product).requestId()).isEqualTo(requestId);
    assertThat(shop.get("/seckill/result?idemKey=" + key, BUYER).requestId()).isEqualTo(requestId);
    assertRefused(shop.resultOf(OTHER, requestId), 404, "UNKNOWN_REQUEST");
    assertRefused(shop.result(OTHER, key, product), 404, "UNKNOWN_REQUEST");
    assertRefused(shop.result(BUYER, "unused", product), 404, "UNKNOWN_REQUEST");
    assertRefused(shop.get("/seckill/result", BUYER), 400, "INVALID_REQUEST");

    long another = sale(10, 1);
    assertThat(shop.awaitEnd(BUYER, shop.buy(another, BUYER, key).requestId()))
        .isEqualTo("SUCCESS");
    assertRefused(shop.get("/seckill/result?idemKey=" + key, BUYER), 400, "INVALID_REQUEST");
  }

  @Test
  void shouldTellHowASaleStands() {
    long product = sale(1, 1);
    assertThat(shop.sale(product).member("state")).isEqualTo("ON_SALE");
    assertThat(shop.awaitEnd(BUYER, shop.buy(product, BUYER, "k").requestId()))
        .isEqualTo("SUCCESS");
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> "SOLD_OUT".equals(shop.sale(product).member("state")));
  }

  @Test
  void shouldAdministerSales() {
    long product = Products.next();
    Map<String, Object> terms = terms(10, 1);
    assertThat(shop.createSale(product, terms).status()).isEqualTo(201);
    assertThat(shop.createSale(product, terms).status()).isEqualTo(200);
    terms.put("stock", 12);
    assertThat(shop.createSale(product, terms).status()).isEqualTo(200);
    assertThat(shop.ledger(product).path("available").asLong()).isEqualTo(12);

    assertThat(shop.awaitEnd(BUYER, shop.buy(product, BUYER, "k").requestId()))
        .isEqualTo("SUCCESS");
    terms.put("stock", 13);
    assertRefused(shop.createSale(product, terms), 409, "TERMS_FIXED");
    terms.put("stock", 12);
    terms.put("name", "Another name");
    assertThat(shop.createSale(product, terms).status()).isEqualTo(200);
    assertThat(shop.sale(product).member("name")).isEqualTo("Another name");

    assertThat(shop.admin("GET", "/admin/sales", null).json().path("sales").findValues("productId"))
        .extracting(JsonNode::asLong)
        .contains(product);
    assertRefused(
        shop.admin("GET", "/admin/sales/" + Products.next() + "/ledger", null),
        404,
        "UNKNOWN_PRODUCT");
    assertThat(shop.send(shop.request("/admin/sales").GET().build()).status()).isEqualTo(401);
  }

  @Test
  void shouldSettleOnceTheSaleIsOver() {
    long product = sale(3, 2);
    assertThat(shop.awaitEnd(BUYER, shop.buy(product, BUYER, "k", 2).requestId()))
        .isEqualTo("SUCCESS");
    assertRefused(change(product, "settle"), 409, "NOT_ENDED");
    change(product, "end");
    shop.awaitRest(product);

    Reply settled = change(product, "settle");

    assertThat(settled.status()).as(settled.text()).isEqualTo(200);
    assertThat(settled.json().path("sold").asLong()).isEqualTo(2);
    assertThat(settled.json().path("units").asLong()).isEqualTo(2);
    assertThat(settled.json().path("orders").asLong()).isEqualTo(1);
    assertThat(settled.json().path("discrepancy").asLong()).isZero();
    assertThat(settled.json().has("details")).isFalse();
    assertThat(change(product, "settle").text()).isEqualTo(settled.text());
    assertThat(count(product)).isEqualTo(1);
    assertThat(shop.buy(product, OTHER, "k").code()).isEqualTo("FAIL_ENDED");
    assertThat(shop.result(BUYER, "k", product).member("status")).isEqualTo("SUCCESS");
  }

  @Test
  void shouldRebuildWhereThereIsABook() {
    long product = sale(3, 1);
    assertThat(shop.awaitEnd(BUYER, shop.buy(product, BUYER, "k").requestId()))
        .isEqualTo("SUCCESS");

    Reply rebuilt = change(product, "rebuild");

    if (mode.has(Difference.NO_REBUILD)) {
      assertRefused(rebuilt, 409, "NO_BOOK");
    } else {
      assertThat(rebuilt.status()).as(rebuilt.text()).isEqualTo(200);
    }
    assertThat(shop.awaitRest(product).path("sold").asLong()).isEqualTo(1);
  }

  @Test
  void shouldKnowNoDeadLetterOfASaleThatWentWell() {
    Reply list = shop.admin("GET", "/admin/dead-letters", null);
    assertThat(list.status()).isEqualTo(200);

    Reply replay = shop.admin("POST", "/admin/dead-letters/999999/replay", null);

    assertThat(replay.status()).isEqualTo(404);
    if (mode.has(Difference.NO_DEAD_LETTERS)) {
      assertThat(replay.code()).isEqualTo("NOT_FOUND");
    }
  }

  @Test
  void shouldSellFiftyUnitsToAThousandBuyers() {
    long product = sale(50, 1);

    Map<Long, CompletableFuture<Reply>> asked = new LinkedHashMap<>();
    for (long user = 1; user <= 1000; user++) {
      asked.put(user, shop.buyAsync(product, user, "k", null));
    }
    Map<String, Integer> ends = new TreeMap<>();
    asked.forEach(
        (user, future) -> {
          Reply reply = future.join();
          String end =
              reply.status() == 202 ? shop.awaitEnd(user, reply.requestId()) : reply.code();
          ends.merge(end, 1, Integer::sum);
        });

    assertThat(ends).isEqualTo(Map.of("SUCCESS", 50, "FAIL_SOLD_OUT", 950));
    assertNotOversold(product, 50);
  }

  @Test
  void shouldSellABuyerWhoRacesHimselfOnePurchase() {
    long product = sale(50, 1);

    Map<String, CompletableFuture<Reply>> asked = new LinkedHashMap<>();
    for (int i = 0; i < 20; i++) {
      String key = "k" + i;
      asked.put(key, shop.buyAsync(product, BUYER, key, null));
    }
    Map<String, Integer> ends = new TreeMap<>();
    asked.forEach(
        (key, future) -> {
          Reply reply = future.join();
          String end =
              reply.status() == 202 ? shop.awaitEnd(BUYER, reply.requestId()) : reply.code();
          ends.merge(end, 1, Integer::sum);
        });

    assertThat(ends).isEqualTo(Map.of("SUCCESS", 1, "FAIL_DUPLICATE", 19));
    assertNotOversold(product, 1);
  }

  /** I3, I4, and the ledger, at rest. */
  private void assertNotOversold(long product, long sold) {
    JsonNode ledger = shop.awaitRest(product);
    assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
    assertThat(ledger.path("sold").asLong()).isEqualTo(sold);
    assertThat(ledger.path("orders").path("success").asLong()).isEqualTo(sold);
    assertThat(
            mysql.queryForObject(
                "SELECT COALESCE(SUM(quantity), 0) FROM seckill_orders"
                    + " WHERE product_id = ? AND status = 'SUCCESS'",
                Long.class,
                product))
        .as("I3")
        .isEqualTo(sold)
        .isLessThanOrEqualTo(50);
    assertThat(
            mysql.queryForList(
                "SELECT user_id FROM seckill_orders WHERE product_id = ? AND status = 'SUCCESS'"
                    + " GROUP BY user_id HAVING COUNT(*) > 1",
                Long.class,
                product))
        .as("I4")
        .isEmpty();
    if (mode != Mode.FULL_A) {
      assertThat(count(product)).isEqualTo(50 - sold);
    }
  }

  private long count(long product) {
    return mysql.queryForObject("SELECT count FROM products WHERE id = ?", Long.class, product);
  }

  private Reply change(long product, String call) {
    return shop.admin("POST", "/admin/sales/" + product + "/" + call, null);
  }

  private Reply post(long product, String type, String body) {
    return shop.send(
        shop.request("/seckill/" + product)
            .header("X-User-Id", "" + BUYER)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private long sale(long stock, int maxQuantity) {
    return sale(terms(stock, maxQuantity));
  }

  private long sale(Map<String, ?> terms) {
    long product = Products.next();
    Reply created = shop.createSale(product, terms);
    assertThat(created.status()).as(created.text()).isEqualTo(201);
    return product;
  }

  private static Map<String, Object> terms(long stock, int maxQuantity) {
    Map<String, Object> terms = new LinkedHashMap<>();
    terms.put("name", "Phone");
    terms.put("stock", stock);
    terms.put("maxQuantity", maxQuantity);
    return terms;
  }

  private static void assertRefused(Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.code()).isEqualTo(code);
    assertThat(reply.header("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
  }
}
