package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.book.BookKeys;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SaleAdminIT {
  private static TestServers servers;
  private static Shop shop;

  private final long product = Products.next();

  @BeforeAll
  static void start() {
    servers = TestServers.get();
    shop = TestApplication.shared().shop();
  }

  /** Some tests break their sale; the watching application must not go on to tell of it. */
  @AfterEach
  void forgetSale() {
    servers.update("DELETE FROM products WHERE id = ?", product);
    servers.update("DELETE FROM seckill_orders WHERE product_id = ?", product);
    servers.redisCommands().del(BookKeys.all(product));
  }

  // ---- create and change ----

  @Test
  void shouldCreateASaleInMySqlAndItsBook() {
    Reply created =
        shop.createSale(
            product,
            Map.of(
                "name",
                "Phone 手机",
                "stock",
                50,
                "maxQuantity",
                2,
                "startsAt",
                "2026-01-01T08:00:00+08:00",
                "endsAt",
                "2099-01-01T00:00:00Z",
                "ratePerSecond",
                1000));

    assertThat(created.status()).as(created.text()).isEqualTo(201);
    assertThat(created.header("Content-Type")).contains("application/json");
    assertThat(created.json().path("productId").asLong()).isEqualTo(product);
    assertThat(created.member("name")).isEqualTo("Phone 手机");
    assertThat(created.json().path("stock").asLong()).isEqualTo(50);
    assertThat(created.json().path("maxQuantity").asLong()).isEqualTo(2);
    assertThat(created.member("startsAt")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(created.member("endsAt")).isEqualTo("2099-01-01T00:00:00Z");
    assertThat(created.json().path("ratePerSecond").asLong()).isEqualTo(1000);
    assertThat(created.member("state")).isEqualTo("OPEN");
    assertThat(created.json().path("preheated").asBoolean()).isTrue();

    assertThat(book())
        .containsEntry("initial", "50")
        .containsEntry("available", "50")
        .containsEntry("maxQuantity", "2")
        .containsEntry("state", "OPEN")
        .containsEntry("epoch", "1")
        .containsEntry("endsAt", "" + Instant.parse("2099-01-01T00:00:00Z").toEpochMilli());
    assertThat(row())
        .containsEntry("count", 50L)
        .containsEntry("initial_stock", 50L)
        .containsEntry("state", "OPEN");
    assertThat(stockLedger()).containsExactly("CREATED 50");
    assertThat(audit()).containsExactly("PUT");
    assertThat(
            (String)
                servers
                    .rows("SELECT detail FROM admin_audit WHERE product_id = ?", product)
                    .get(0)
                    .get("detail"))
        .contains("\"stock\":50");
  }

  @Test
  void shouldAnswer200WhenRepeatedAndTakeOverWhatMayChange() {
    shop.createSale(product, 10);

    Reply repeated = shop.createSale(product, 10);
    Reply changed =
        shop.createSale(
            product,
            Map.of(
                "name",
                "Other",
                "stock",
                10,
                "endsAt",
                "2099-01-01T00:00:00Z",
                "ratePerSecond",
                5));

    assertThat(repeated.status()).isEqualTo(200);
    assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    assertThat(changed.member("name")).isEqualTo("Other");
    assertThat(book())
        .containsEntry("endsAt", "" + Instant.parse("2099-01-01T00:00:00Z").toEpochMilli());
    assertThat(row()).containsEntry("name", "Other").containsEntry("rate_per_second", 5);
    assertThat(stockLedger()).containsExactly("CREATED 10");
  }

  @Test
  void shouldChangeOnlyTheTermsThatAPatchNames() {
    shop.createSale(
        product,
        Map.of(
            "name",
            "Phone",
            "stock",
            10,
            "maxQuantity",
            2,
            "endsAt",
            "2099-01-01T00:00:00.250Z",
            "activityId",
            77));

    Reply rate = patch(Map.of("ratePerSecond", 20));
    reserve("7");
    Reply renamed = patch(Map.of("name", "New name"));

    assertThat(rate.status()).as(rate.text()).isEqualTo(200);
    assertThat(renamed.status()).as(renamed.text()).isEqualTo(200);
    assertThat(row())
        .containsEntry("name", "New name")
        .containsEntry("initial_stock", 10L)
        .containsEntry("max_quantity", 2)
        .containsEntry("starts_at", null)
        .containsEntry("ends_at", Instant.parse("2099-01-01T00:00:00.250Z").toEpochMilli())
        .containsEntry("rate_per_second", 20)
        .containsEntry("activity_id", 77L);
    assertThat(stockLedger()).containsExactly("CREATED 10");
    assertThat(audit()).containsExactly("PUT", "PATCH", "PATCH");
  }

  @Test
  void shouldClearWhatAPatchNamesWithNull() {
    shop.createSale(
        product,
        Map.of("name", "a", "stock", 10, "maxQuantity", 2, "ratePerSecond", 5, "activityId", 7));
    Map<String, Object> nothing = new HashMap<>();
    nothing.put("ratePerSecond", null);
    nothing.put("maxQuantity", null);

    Reply cleared = patch(nothing);

    assertThat(cleared.status()).as(cleared.text()).isEqualTo(200);
    assertThat(row())
        .containsEntry("rate_per_second", null)
        .containsEntry("max_quantity", 1)
        .containsEntry("activity_id", 7L);
    assertThat(book()).containsEntry("maxQuantity", "1");
  }

  @Test
  void shouldTakeAMergePatchByItsMediaType() {
    shop.createSale(product, 10);

    Reply changed =
        shop.send(
            shop.request("/admin/sales/" + product)
                .header("Authorization", "Bearer " + TestApplication.shared().adminToken())
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString("{\"stock\":12}"))
                .build());

    assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    assertThat(book()).containsEntry("initial", "12").containsEntry("available", "12");
    assertThat(stockLedger()).containsExactly("CREATED 10", "CREATED 2");
  }

  @Test
  void shouldRefuseAPatchThatDoesNotHold() {
    assertProblem(patch(Map.of("ratePerSecond", 20)), 404, "UNKNOWN_PRODUCT");
    assertThat(servers.rows("SELECT id FROM products WHERE id = ?", product)).isEmpty();

    shop.createSale(product, Map.of("name", "a", "stock", 10, "endsAt", "2099-01-01T00:00:00Z"));
    assertProblem(patch(Map.of("unknown", 1)), 400, "INVALID_REQUEST");
    assertProblem(patch(Map.of("startsAt", "2099-01-02T00:00:00Z")), 400, "INVALID_REQUEST");
    reserve("7");
    assertProblem(patch(Map.of("stock", 11)), 409, "TERMS_FIXED");
    post("end");
    assertProblem(patch(Map.of("endsAt", "2098-01-01T00:00:00Z")), 409, "SALE_ENDED");
    assertThat(patch(Map.of("name", "b")).status()).isEqualTo(200);
  }

  private Reply patch(Map<String, ?> terms) {
    return shop.admin("PATCH", "/admin/sales/" + product, terms);
  }

  @Test
  void shouldChangeStockAndLimitBeforeTheFirstReservation() {
    shop.createSale(product, 10);

    Reply more = shop.createSale(product, Map.of("name", "Product", "stock", 25, "maxQuantity", 3));

    assertThat(more.status()).as(more.text()).isEqualTo(200);
    assertThat(book())
        .containsEntry("initial", "25")
        .containsEntry("available", "25")
        .containsEntry("maxQuantity", "3");
    assertThat(row()).containsEntry("count", 25L).containsEntry("initial_stock", 25L);
    assertThat(stockLedger()).containsExactly("CREATED 10", "CREATED 15");
  }

  @Test
  void shouldRefuseOtherStockOrLimitFromTheFirstReservationOn() {
    shop.createSale(product, 10);
    reserve("7");

    Reply stock = shop.createSale(product, 11);
    Reply limit =
        shop.createSale(product, Map.of("name", "Product", "stock", 10, "maxQuantity", 2));
    Reply name = shop.createSale(product, Map.of("name", "New name", "stock", 10));

    for (Reply refused : List.of(stock, limit)) {
      assertProblem(refused, 409, "TERMS_FIXED");
      assertThat(refused.json().path("stock").asLong()).isEqualTo(10);
    }
    assertThat(name.status()).as(name.text()).isEqualTo(200);
    assertThat(row()).containsEntry("initial_stock", 10L).containsEntry("name", "New name");
    assertThat(book()).containsEntry("initial", "10");
  }

  @Test
  void shouldTakeMySqlBackToABookThatAReservationFixedFirst() {
    shop.createSale(product, 10);
    reserve("7");
    servers.update(
        "UPDATE products SET initial_stock = 99, count = 99, max_quantity = 5 WHERE id = ?",
        product);

    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(row())
                    .containsEntry("initial_stock", 10L)
                    .containsEntry("count", 10L)
                    .containsEntry("max_quantity", 1));
    assertThat(audit()).contains("FOLLOW_BOOK");
  }

  @Test
  void shouldAskForARebuildWhereAPreheatedSaleHasNoBook() {
    shop.createSale(product, 10);
    servers.redisCommands().del(BookKeys.all(product));

    assertProblem(shop.createSale(product, 10), 409, "REBUILD_REQUIRED");
    assertProblem(post("pause"), 409, "REBUILD_REQUIRED");
    assertProblem(
        shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 5), "more"),
        409,
        "REBUILD_REQUIRED");
    assertThat(row()).as("nothing is half done").containsEntry("count", 10L);
    assertThat(row()).containsEntry("state", "OPEN");
    assertProblem(
        shop.admin("GET", "/admin/sales/" + product + "/ledger", null), 409, "REBUILD_REQUIRED");
    assertThat(book()).isEmpty();
  }

  @Test
  void shouldAskForARebuildWhereOnlyOrdersTellThatThereWasABook() {
    shop.createSale(product, 10);
    order("9");
    servers.redisCommands().del(BookKeys.all(product));
    servers.update("UPDATE products SET preheated = 0 WHERE id = ?", product);

    assertProblem(shop.createSale(product, 10), 409, "REBUILD_REQUIRED");
    assertThat(book()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"stock\":1}",
        "{\"name\":\"a\",\"stock\":-1}",
        "{\"name\":\"a\",\"stock\":1,\"startsAt\":\"tomorrow\"}",
        "{\"name\":\"a\",\"stock\":1,\"colour\":\"red\"}",
        "not json",
        ""
      })
  void shouldRefuseTermsThatAreWrong(String body) {
    Reply refused =
        shop.send(
            shop.request("/admin/sales/" + product)
                .header("Authorization", "Bearer " + TestApplication.shared().adminToken())
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body))
                .build());

    assertProblem(refused, 400, "INVALID_REQUEST");
    assertThat(row()).isEmpty();
  }

  @Test
  void shouldRefuseABodyThatIsNotJson() {
    Reply refused =
        shop.send(
            shop.request("/admin/sales/" + product)
                .header("Authorization", "Bearer " + TestApplication.shared().adminToken())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .PUT(BodyPublishers.ofString("{\"name\":\"a\",\"stock\":1}"))
                .build());

    assertProblem(refused, 415, "UNSUPPORTED_MEDIA_TYPE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-1", "01", "abc", "9223372036854775808", "1.5", "false", "%24%7Bx%7D"})
  void shouldRefuseProductIdsThatAreNone(String id) {
    assertProblem(
        shop.admin("PUT", "/admin/sales/" + id, Map.of("name", "a", "stock", 1)),
        400,
        "INVALID_REQUEST");
    assertProblem(
        shop.admin("POST", "/admin/sales/" + id + "/pause", null), 400, "INVALID_REQUEST");
    assertProblem(
        shop.admin("GET", "/admin/sales/" + id + "/ledger", null), 400, "INVALID_REQUEST");
  }

  @Test
  void shouldNotTakeTheProductFromAHeaderOrAQuery() {
    shop.createSale(product, 10);
    long other = Products.next();
    shop.createSale(other, 10);

    Reply byHeader =
        shop.send(
            shop.request("/admin/sales/" + product + "/pause")
                .header("Authorization", "Bearer " + TestApplication.shared().adminToken())
                .header("productId", "" + other)
                .POST(BodyPublishers.noBody())
                .build());
    Reply byQuery =
        shop.admin("POST", "/admin/sales/" + product + "/pause?productId=" + other, null);

    for (Reply reply : List.of(byHeader, byQuery)) {
      assertThat(reply.status()).isIn(200, 400);
      assertThat(reply.text()).doesNotContain("" + other);
    }
    assertThat(servers.redisCommands().hget(BookKeys.sale(other), "state")).isEqualTo("OPEN");
  }

  // ---- authentication ----

  @ParameterizedTest
  @CsvSource({
    "PUT,/admin/sales/{p}",
    "GET,/admin/sales",
    "GET,/admin/sales/{p}/ledger",
    "POST,/admin/sales/{p}/pause",
    "POST,/admin/sales/{p}/resume",
    "POST,/admin/sales/{p}/end",
    "POST,/admin/sales/{p}/settle",
    "POST,/admin/sales/{p}/restock"
  })
  void shouldRefuseEveryCallWithoutTheToken(String method, String path) {
    for (String authorization :
        new String[] {null, "Bearer wrong", "Basic dGVzdC1hZG1pbi10b2tlbg==", "Bearer", ""}) {
      var request =
          shop.request(path.replace("{p}", "" + product))
              .header("Content-Type", "application/json")
              .method(method, BodyPublishers.ofString("{\"name\":\"a\",\"stock\":1,\"units\":1}"));
      if (authorization != null) {
        request.header("Authorization", authorization);
      }
      Reply refused = shop.send(request.build());

      assertProblem(refused, 401, "UNAUTHENTICATED");
      assertThat(refused.header("WWW-Authenticate").orElse("")).startsWith("Bearer");
    }
    assertThat(row()).isEmpty();
    Reply twice =
        shop.send(
            shop.request(path.replace("{p}", "" + product))
                .header("Authorization", "Bearer x")
                .header("Authorization", "Bearer " + TestApplication.shared().adminToken())
                .method(method, BodyPublishers.ofString("{}"))
                .build());
    assertProblem(twice, 401, "UNAUTHENTICATED");
  }

  @Test
  void shouldNotEchoTheTokenOrOtherHeaders() {
    Reply created =
        shop.send(
            shop.request("/admin/sales/" + product)
                .header("Authorization", "Bearer " + TestApplication.shared().adminToken())
                .header("Content-Type", "application/json")
                .header("CamelHttpResponseCode", "418")
                .header("CamelSqlQuery", "DROP TABLE products")
                .header("X-Echo", "me")
                .PUT(BodyPublishers.ofString("{\"name\":\"a\",\"stock\":1}"))
                .build());

    assertThat(created.status()).as(created.text()).isEqualTo(201);
    assertThat(created.headers().map().toString())
        .doesNotContain(TestApplication.shared().adminToken())
        .doesNotContainIgnoringCase("x-echo")
        .doesNotContainIgnoringCase("productId");
  }

  // ---- list ----

  @Test
  void shouldListSalesNewestFirst() {
    shop.createSale(product, 10);
    long later = Products.next();
    shop.createSale(later, 20);

    Reply list = shop.admin("GET", "/admin/sales", null);

    assertThat(list.status()).as(list.text()).isEqualTo(200);
    List<Long> ids =
        list.json().path("sales").findValues("productId").stream().map(JsonNode::asLong).toList();
    assertThat(ids).contains(product, later);
    assertThat(ids.indexOf(later)).isLessThan(ids.indexOf(product));
  }

  // ---- state ----

  @Test
  void shouldPauseResumeAndEndIdempotently() {
    shop.createSale(product, 10);

    for (String[] step :
        new String[][] {
          {"pause", "PAUSED"},
          {"pause", "PAUSED"},
          {"resume", "OPEN"},
          {"resume", "OPEN"},
          {"pause", "PAUSED"},
          {"end", "ENDED"},
          {"end", "ENDED"}
        }) {
      Reply reply = post(step[0]);
      assertThat(reply.status()).as(step[0] + " " + reply.text()).isEqualTo(200);
      assertThat(reply.member("state")).isEqualTo(step[1]);
      assertThat(book()).containsEntry("state", step[1]);
      assertThat(row()).containsEntry("state", step[1]);
    }
    assertThat(audit()).contains("STATE_PAUSED", "STATE_OPEN", "STATE_ENDED");
  }

  @Test
  void shouldNeverBringBackASaleThatHasEnded() {
    shop.createSale(product, 10);
    post("end");

    assertProblem(post("pause"), 409, "SALE_ENDED");
    assertProblem(post("resume"), 409, "SALE_ENDED");
    assertProblem(restock(5, "k1"), 409, "SALE_ENDED");
    assertProblem(
        shop.createSale(
            product, Map.of("name", "a", "stock", 10, "endsAt", "2099-01-01T00:00:00Z")),
        409,
        "SALE_ENDED");
    assertProblem(shop.createSale(product, Map.of("name", "a", "stock", 11)), 409, "SALE_ENDED");
    assertThat(shop.createSale(product, Map.of("name", "Renamed", "stock", 10)).status())
        .isEqualTo(200);
    assertThat(book()).containsEntry("state", "ENDED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "end", "settle"})
  void shouldNotKnowASaleThatWasNotCreated(String call) {
    assertProblem(post(call), 404, "UNKNOWN_PRODUCT");
  }

  @Test
  void shouldNotKnowTheLedgerOrRestockOfASaleThatWasNotCreated() {
    assertProblem(
        shop.admin("GET", "/admin/sales/" + product + "/ledger", null), 404, "UNKNOWN_PRODUCT");
    assertProblem(restock(1, "k1"), 404, "UNKNOWN_PRODUCT");
  }

  // ---- restock ----

  @Test
  void shouldRestockOncePerKey() {
    shop.createSale(product, 10);

    Reply first = restock(5, "k1");
    Reply again = restock(5, "k1");
    Reply second = restock(7, "k2");

    assertThat(first.status()).as(first.text()).isEqualTo(200);
    assertThat(first.json().path("restocked").asLong()).isEqualTo(5);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("restocked").asLong()).isEqualTo(5);
    assertThat(second.json().path("restocked").asLong()).isEqualTo(12);
    assertThat(book()).containsEntry("available", "22").containsEntry("restocked", "12");
    assertThat(row()).containsEntry("restocked", 12L).containsEntry("count", 22L);
    assertThat(stockLedger()).containsExactly("CREATED 10", "RESTOCK 5", "RESTOCK 7");
    assertProblem(restock(6, "k1"), 422, "KEY_REUSED");
  }

  @Test
  void shouldTakeAKeyInQuotesForTheSame() {
    shop.createSale(product, 10);

    assertThat(restock(5, "\"k1\"").json().path("restocked").asLong()).isEqualTo(5);
    assertThat(restock(5, "k1").json().path("restocked").asLong()).isEqualTo(5);
    assertThat(restock(7, "k2").json().path("restocked").asLong()).isEqualTo(12);
    assertThat(restock(7, "\"k2\"").json().path("restocked").asLong()).isEqualTo(12);
    assertProblem(restock(6, "\"k1\""), 422, "KEY_REUSED");
    for (String malformed : List.of("\"k3", "k3\"", "'k3'", "\"\"k3\"\"", "\"k3\";p", "\"\"")) {
      assertProblem(restock(1, malformed), 400, "INVALID_REQUEST");
    }
    assertThat(row()).containsEntry("restocked", 12L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"units\":0}", "{\"units\":-1}", "{\"units\":\"1\"}", ""})
  void shouldRefuseARestockOfNothing(String body) {
    shop.createSale(product, 10);
    Reply refused =
        shop.send(
            shop.request("/admin/sales/" + product + "/restock")
                .header("Authorization", "Bearer " + TestApplication.shared().adminToken())
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "k1")
                .POST(BodyPublishers.ofString(body))
                .build());

    assertProblem(refused, 400, "INVALID_REQUEST");
  }

  @Test
  void shouldRefuseARestockWithoutAKey() {
    shop.createSale(product, 10);

    assertProblem(
        shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 1)),
        400,
        "INVALID_REQUEST");
    assertProblem(
        shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 1), "a b"),
        400,
        "INVALID_REQUEST");
    assertThat(row()).containsEntry("restocked", 0L);
  }

  @Test
  void shouldRestockOnceThoughManyCallsWithOneKeyComeAtOnce() {
    shop.createSale(product, 10);
    List<CompletableFuture<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String key = i < 8 ? "same" : "other-" + i;
      calls.add(CompletableFuture.supplyAsync(() -> restock(3, key).status()));
    }

    assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo(200));
    assertThat(row()).containsEntry("restocked", 15L).containsEntry("count", 25L);
    assertThat(book()).containsEntry("restocked", "15").containsEntry("available", "25");
  }

  // ---- other nodes ----

  @Test
  void shouldReachBuyersOfEveryNodeAtOnce() {
    try (TestApplication other = TestApplication.start(Map.of())) {
      shop.createSale(product, 10);
      Shop there = other.shop();
      assertThat(there.buy(product, 1, "k").status()).isEqualTo(202);

      post("pause");
      assertThat(there.buy(product, 2, "k").code()).isEqualTo("FAIL_PAUSED");
      awaitState(there, "PAUSED");
      assertThat(there.admin("POST", "/admin/sales/" + product + "/resume", null).status())
          .isEqualTo(200);
      assertThat(shop.buy(product, 2, "k").status()).isEqualTo(202);
      awaitState(shop, "ON_SALE");
      post("end");
      assertThat(there.buy(product, 3, "k").code()).isEqualTo("FAIL_ENDED");
      awaitState(there, "ENDED");
    }
  }

  private void awaitState(Shop node, String state) {
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(node.sale(product).member("state")).isEqualTo(state));
  }

  // ---- crashes between MySQL and Redis ----

  @Test
  void shouldCreateTheBookWithTheNextCallWhenACrashCameBeforeIt() {
    servers.update(
        "INSERT INTO products (id, name, count, initial_stock, state, created_at, updated_at)"
            + " VALUES (?, 'Product', 10, 10, 'OPEN', 1, 1)",
        product);

    Reply repeated = shop.createSale(product, Map.of("name", "Product", "stock", 10));

    assertThat(repeated.status()).as(repeated.text()).isIn(200, 201);
    assertThat(book()).containsEntry("available", "10");
    assertThat(row()).containsEntry("preheated", 1);
  }

  @Test
  void shouldCreateTheBookByItselfWhenACrashCameBeforeIt() {
    servers.update(
        "INSERT INTO products (id, name, count, initial_stock, state, created_at, updated_at)"
            + " VALUES (?, 'Product', 10, 10, 'PAUSED', 1, 1)",
        product);

    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              assertThat(book()).containsEntry("available", "10").containsEntry("state", "PAUSED");
              assertThat(row()).as("noted after the book is there").containsEntry("preheated", 1);
            });
  }

  @Test
  void shouldBringTheBookToTheStateWindowAndUnitsThatOnlyMySqlHas() {
    shop.createSale(product, 10);
    servers.update(
        "UPDATE products SET state = 'PAUSED', restocked = 4, count = 14, ends_at = ? WHERE id = ?",
        4_000_000_000_000L,
        product);

    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(book())
                    .containsEntry("state", "PAUSED")
                    .containsEntry("restocked", "4")
                    .containsEntry("available", "14")
                    .containsEntry("endsAt", "4000000000000"));
  }

  @Test
  void shouldHealALostRestockWithItsRetry() {
    shop.createSale(product, 10);
    restock(5, "k1");
    servers
        .redisCommands()
        .hset(BookKeys.sale(product), Map.of("restocked", "0", "available", "10"));

    Reply retry = restock(5, "k1");

    assertThat(retry.status()).isEqualTo(200);
    assertThat(book()).containsEntry("restocked", "5").containsEntry("available", "15");
    assertThat(row()).containsEntry("restocked", 5L);
  }

  // ---- ledger ----

  @Test
  void shouldShowTheLedgerWithItsMembersInOrder() {
    shop.createSale(product, 10);
    reserve("1");
    reserve("2");

    JsonNode ledger = shop.ledger(product);

    assertThat(ledger.fieldNames())
        .toIterable()
        .containsExactly(
            "productId",
            "initial",
            "restocked",
            "available",
            "pending",
            "sold",
            "writtenOff",
            "released",
            "outbox",
            "orders",
            "epoch",
            "balanced");
    assertThat(ledger.path("productId").asLong()).isEqualTo(product);
    assertThat(ledger.path("available").asLong()).isEqualTo(8);
    assertThat(ledger.path("pending").asLong() + ledger.path("sold").asLong()).isEqualTo(2);
    assertThat(ledger.path("orders").fieldNames())
        .toIterable()
        .containsExactly("success", "failed");
    assertThat(ledger.path("balanced").asBoolean()).isTrue();
  }

  @Test
  void shouldSayWhenTheLedgerDoesNotBalance() {
    shop.createSale(product, 10);
    order("5");
    assertThat(shop.ledger(product).path("balanced").asBoolean())
        .as("order the book lacks")
        .isFalse();
    servers.update("DELETE FROM seckill_orders WHERE product_id = ?", product);
    assertThat(shop.ledger(product).path("balanced").asBoolean()).isTrue();

    servers.redisCommands().hset(BookKeys.sale(product), "available", "11");
    assertThat(shop.ledger(product).path("balanced").asBoolean()).as("a unit too many").isFalse();
    servers.redisCommands().hset(BookKeys.sale(product), Map.of("available", "9", "sold", "1"));
    assertThat(shop.ledger(product).path("balanced").asBoolean()).as("sold, no order").isFalse();
  }

  // ---- settlement ----

  @Test
  void shouldRefuseToSettleASaleThatIsOn() {
    shop.createSale(product, Map.of("name", "a", "stock", 10, "endsAt", "2099-01-01T00:00:00Z"));

    Reply refused = post("settle");

    assertProblem(refused, 409, "NOT_ENDED");
    assertThat(refused.member("endsAt")).isEqualTo("2099-01-01T00:00:00Z");
  }

  @Test
  void shouldRefuseToSettleWhileUnitsArePending() {
    shop.createSale(product, 10);
    // a reservation nobody relays: its outbox entry is gone, the sweeper is not due
    reserve("7");
    servers.redisCommands().hset(BookKeys.sale(product), Map.of("pending", "1", "available", "9"));
    post("end");

    Reply settled = post("settle");

    if (settled.status() == 409) {
      assertProblem(settled, 409, "SETTLEMENT_PENDING");
      assertThat(settled.header("Retry-After")).isPresent();
    }
  }

  @Test
  void shouldSettleOnceAndTakeTheSoldUnitsOff() {
    shop.createSale(product, Map.of("name", "a", "stock", 10, "maxQuantity", 5));
    sold("11", 2);
    sold("12", 1);
    post("end");

    Reply settled = settle();
    Reply again = post("settle");

    assertThat(settled.json().path("sold").asLong()).isEqualTo(3);
    assertThat(settled.json().path("units").asLong()).isEqualTo(3);
    assertThat(settled.json().path("orders").asLong()).isEqualTo(2);
    assertThat(settled.json().path("discrepancy").asLong()).isZero();
    assertThat(settled.json().has("details")).isFalse();
    assertThat(Instant.parse(settled.member("settledAt"))).isNotNull();
    assertThat(again.text()).isEqualTo(settled.text());
    assertThat(row()).containsEntry("count", 7L).containsEntry("state", "ENDED");
    assertThat(stockLedger()).containsExactly("CREATED 10", "SETTLEMENT -3");
    assertThat(servers.rows("SELECT * FROM settlements WHERE product_id = ?", product)).hasSize(1);
  }

  @Test
  void shouldNameTheOrdersOfADiscrepancy() {
    shop.createSale(product, 10);
    sold("21", 1);
    order("22");
    servers.redisCommands().hset(BookKeys.sale(product), Map.of("available", "6", "sold", "4"));
    servers
        .redisCommands()
        .hset(BookKeys.users(product), "22", requestId("22") + "|k|2|SUCCESS|1-1|98|");
    servers
        .redisCommands()
        .hset(BookKeys.users(product), "23", requestId("23") + "|k|1|SUCCESS|1-1|99|");
    post("end");

    Reply settled = settle();

    JsonNode details = settled.json().path("details");
    assertThat(details.path("ordersConcerned").asLong()).isEqualTo(2);
    assertThat(details.path("orders").findValuesAsText("requestId"))
        .containsExactlyInAnyOrder(requestId("22"), requestId("23"));
  }

  @Test
  void shouldNotSettleABookThatLacksAnOrder() {
    shop.createSale(product, 10);
    sold("21", 1);
    order("22");
    post("end");

    Reply refused =
        await()
            .atMost(60, TimeUnit.SECONDS)
            .until(() -> post("settle"), reply -> !"SETTLEMENT_PENDING".equals(reply.code()));
    assertProblem(refused, 409, "REBUILD_REQUIRED");
    assertThat(refused.json().path("orders").asLong()).isEqualTo(1);
    assertThat(refused.json().path("units").asLong()).isEqualTo(1);
    assertThat(servers.rows("SELECT * FROM settlements WHERE product_id = ?", product)).isEmpty();
    assertThat(post("rebuild").status()).isEqualTo(200);
    assertThat(settle().json().path("discrepancy").asLong()).isZero();
  }

  @Test
  void shouldNotSettleWhatARebuildIsAboutToReplace() {
    shop.createSale(product, 10);
    sold("21", 1);
    post("end");
    servers.update("UPDATE products SET rebuild_since = 1 WHERE id = ?", product);

    assertProblem(
        await()
            .atMost(60, TimeUnit.SECONDS)
            .until(() -> post("settle"), reply -> reply.status() == 409),
        409,
        "SETTLEMENT_PENDING");
    servers.redisCommands().hset(BookKeys.sale(product), "closed", "1");
    assertProblem(post("settle"), 409, "REBUILD_REQUIRED");
    assertThat(servers.rows("SELECT * FROM settlements WHERE product_id = ?", product)).isEmpty();
  }

  @Test
  void shouldSettleByItselfOnceTheWindowIsOver() {
    Instant end = Instant.now().plus(Duration.ofSeconds(3));
    shop.createSale(product, Map.of("name", "a", "stock", 10, "endsAt", end.toString()));
    sold("31", 1);

    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(
                        servers.rows(
                            "SELECT units, discrepancy FROM settlements WHERE product_id = ?",
                            product))
                    .hasSize(1)
                    .first()
                    .satisfies(row -> assertThat(row).containsEntry("units", 1L)));
    assertThat(row()).containsEntry("state", "ENDED").containsEntry("count", 9L);
    assertThat(book()).containsEntry("state", "ENDED");
  }

  // ---- helpers ----

  private Reply post(String call) {
    return shop.admin("POST", "/admin/sales/" + product + "/" + call, null);
  }

  private Reply restock(long units, String key) {
    return shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", units), key);
  }

  private Reply settle() {
    return await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> post("settle"), reply -> reply.status() == 200);
  }

  private Map<String, String> book() {
    return servers.redisCommands().hgetall(BookKeys.sale(product));
  }

  private Map<String, Object> row() {
    List<Map<String, Object>> rows = servers.rows("SELECT * FROM products WHERE id = ?", product);
    return rows.isEmpty() ? Map.of() : rows.get(0);
  }

  private List<String> stockLedger() {
    return servers
        .rows("SELECT cause, delta FROM stock_ledger WHERE product_id = ? ORDER BY id", product)
        .stream()
        .map(row -> row.get("cause") + " " + row.get("delta"))
        .toList();
  }

  private List<String> audit() {
    return servers
        .rows("SELECT action FROM admin_audit WHERE product_id = ? ORDER BY id", product)
        .stream()
        .map(row -> (String) row.get("action"))
        .toList();
  }

  private String requestId(String user) {
    return io.seckill.domain.RequestId.of(product, Long.parseLong(user), "k").toString();
  }

  /** One unit pending, as reserve.lua leaves it, but without an entry for the relay. */
  private void reserve(String user) {
    Map<String, String> entry = new LinkedHashMap<>();
    entry.put(user, requestId(user) + "|k|1|PENDING|9999999999999-1||");
    servers.redisCommands().hset(BookKeys.users(product), entry);
    servers.redisCommands().zadd(BookKeys.pending(product), 9999999999999d, user);
    servers.redisCommands().hincrby(BookKeys.sale(product), "available", -1);
    servers.redisCommands().hincrby(BookKeys.sale(product), "pending", 1);
    servers.redisCommands().hincrby(BookKeys.sale(product), "moves", 1);
  }

  /** An order in MySQL that the book knows as sold. */
  private void sold(String user, int quantity) {
    order(user, quantity);
    servers
        .redisCommands()
        .hset(
            BookKeys.users(product), user, requestId(user) + "|k|" + quantity + "|SUCCESS|1-1|1|");
    servers.redisCommands().hincrby(BookKeys.sale(product), "available", -quantity);
    servers.redisCommands().hincrby(BookKeys.sale(product), "sold", quantity);
    servers.redisCommands().hincrby(BookKeys.sale(product), "moves", 1);
  }

  private void order(String user) {
    order(user, 1);
  }

  private void order(String user, int quantity) {
    servers.update(
        "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
            + " attempt, epoch, created_at) VALUES (?, ?, ?, ?, ?, 'SUCCESS', 'test', 1, 1)",
        requestId(user),
        product,
        Long.parseLong(user),
        quantity,
        product + ":" + user + ":k");
  }

  private static void assertProblem(Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.code()).as(reply.text()).isEqualTo(code);
    assertThat(reply.header("Content-Type")).contains("application/problem+json");
    assertThat(reply.json().path("status").asInt()).isEqualTo(status);
  }
}
