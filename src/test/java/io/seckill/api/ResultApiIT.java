package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.book.AdmissionGuard;
import io.seckill.book.BookKeys;
import io.seckill.domain.RequestId;
import io.seckill.http.RawHttp;
import io.seckill.http.Sales;
import io.seckill.sale.SaleRegistry;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What buyers are told who ask after their requests, on real servers. */
class ResultApiIT {
  private static final long USER = 4712;

  private static TestApplication application;
  private static Shop shop;
  private static Sales sales;

  @BeforeAll
  static void start() {
    application = TestApplication.start(Map.of("seckill.throttle.user-rate", "0"));
    shop = application.shop();
    sales = new Sales(application);
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> application.bean(SaleRegistry.class).isLoaded());
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void shouldTellByKeyAndProductByKeyAloneAndByRequest() {
    long product = sales.open(10);
    String key = "only-" + product;
    String requestId = shop.buy(product, USER, key).requestId();

    for (String query :
        List.of(
            "idemKey=" + key + "&productId=" + product,
            "idemKey=" + key,
            "requestId=" + requestId)) {
      Reply reply = ask(query, USER);
      assertThat(reply.status()).as(query).isEqualTo(200);
      assertThat(reply.header("Content-Type")).contains("application/json");
      assertThat(reply.requestId()).isEqualTo(requestId);
      assertThat(reply.member("idemKey")).isEqualTo(key);
      assertThat(reply.json().path("productId").asLong()).isEqualTo(product);
      assertThat(reply.member("status")).isIn("PENDING", "SUCCESS");
    }
  }

  @Test
  void shouldNotTellOthers() {
    long product = sales.open(10);
    String requestId = shop.buy(product, USER, "k1").requestId();

    assertUnknown(ask("idemKey=k1&productId=" + product, USER + 1));
    assertUnknown(ask("requestId=" + requestId, USER + 1));
    assertUnknown(ask("requestId=" + RequestId.of(product, USER, "k2"), USER));
    assertUnknown(ask("idemKey=K1&productId=" + product, USER));
    assertUnknown(ask("idemKey=k1&productId=" + Products.next(), USER));
  }

  /**
   * Apart from other tests' sales: one whose book is missing may know the key, and then it is 503.
   */
  @Test
  void shouldNotKnowAKeyThatNoSaleKnows() {
    try (TestApplication apart = TestApplication.apart("results", 7, Map.of())) {
      apart.awaitReady();
      long product = Products.next();
      apart.shop().createSale(product, 10);
      assertThat(apart.shop().buy(product, USER, "k1").status()).isEqualTo(202);

      assertUnknown(apart.shop().get("/seckill/result?idemKey=unheard-of", USER));
      assertUnknown(apart.shop().get("/seckill/result?idemKey=k1", USER + 1));
      assertThat(apart.shop().get("/seckill/result?idemKey=k1", USER).status()).isEqualTo(200);
    }
  }

  @Test
  void shouldTellFromMySqlWhatNoBookHolds() {
    long product = sales.open(10);
    String won = RequestId.of(product, USER, "won:1").toString();
    long orderId = sales.order(product, USER, won, "won:1", "SUCCESS");
    String lost = RequestId.of(product, USER, "lost").toString();
    sales.order(product, USER, lost, "lost", "FAIL_SYSTEM");

    for (String query : List.of("idemKey=won:1&productId=" + product, "requestId=" + won)) {
      Reply reply = ask(query, USER);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.member("status")).isEqualTo("SUCCESS");
      assertThat(reply.member("idemKey")).isEqualTo("won:1");
      assertThat(reply.json().path("orderId").asLong()).isEqualTo(orderId);
      assertThat(reply.json().has("reason")).isFalse();
    }
    Reply failure = ask("requestId=" + lost, USER);
    assertThat(failure.member("status")).isEqualTo("FAIL_SYSTEM");
    assertThat(failure.member("reason")).isEqualTo("told so");
    assertThat(failure.json().has("orderId")).isFalse();
    assertUnknown(ask("requestId=" + won, USER + 1));
  }

  @Test
  void shouldAskForTheProductWhereTheKeyDoesNotTell() {
    long one = sales.open(10);
    long other = sales.open(10);
    String key = "both-" + one;
    shop.buy(one, USER, key);
    shop.buy(other, USER, key);

    assertInvalid(ask("idemKey=" + key, USER));
    assertThat(ask("idemKey=" + key + "&productId=" + other, USER).status()).isEqualTo(200);

    String old = "old-" + one;
    sales.order(one, USER, RequestId.of(one, USER, old).toString(), old, "FAIL_SYSTEM");
    sales.order(other, USER, RequestId.of(other, USER, old).toString(), old, "FAIL_SYSTEM");
    assertInvalid(ask("idemKey=" + old, USER));
  }

  @Test
  void shouldNotRememberAMissOfWhileABookWasClosed() {
    long product = sales.open(10);
    String requestId = RequestId.of(product, USER, "late").toString();
    servers().hset(BookKeys.sale(product), "closed", "1");
    assertDegraded(ask("requestId=" + requestId, USER));

    sales.order(product, USER, requestId, "late", "FAIL_SYSTEM");
    servers().hdel(BookKeys.sale(product), "closed");

    assertThat(ask("requestId=" + requestId, USER).member("status")).isEqualTo("FAIL_SYSTEM");
  }

  private static RedisCommands<String, String> servers() {
    return TestServers.get().redisCommands();
  }

  @Test
  void shouldSay503WhileABookIsMissingOrNotTrusted() {
    long missing = sales.withoutBook();
    String known = RequestId.of(missing, USER, "known").toString();
    sales.order(missing, USER, known, "known", "SUCCESS");
    assertDegraded(ask("idemKey=k1&productId=" + missing, USER));
    assertDegraded(ask("idemKey=k1&productId=" + missing, USER));
    assertThat(ask("requestId=" + known, USER).member("status")).isEqualTo("SUCCESS");

    long distrusted = sales.open(10);
    shop.buy(distrusted, USER, "k1");
    application.bean(AdmissionGuard.class).close(distrusted);
    // the book may be found current, and the sale open again, before the questions come
    assertThat(ask("idemKey=k1&productId=" + distrusted, USER).status()).isIn(200, 503);
    assertThat(ask("idemKey=k2&productId=" + distrusted, USER).status()).isIn(404, 503);
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> ask("idemKey=k1&productId=" + distrusted, USER).status() == 200);

    sales.giveBook(missing);
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(() -> assertUnknown(ask("idemKey=k3&productId=" + missing, USER)));
  }

  @Test
  void shouldFindARequestThatWasMissedBefore() {
    long product = sales.open(10);
    assertUnknown(ask("idemKey=k1&productId=" + product, USER));
    shop.buy(product, USER, "k1");
    assertThat(ask("idemKey=k1&productId=" + product, USER).status()).isEqualTo(200);
  }

  @Test
  void shouldForgetAMissWithinASecondOrSo() {
    long product = sales.open(10);
    String requestId = RequestId.of(product, USER, "late").toString();
    assertUnknown(ask("requestId=" + requestId, USER));
    sales.order(product, USER, requestId, "late", "SUCCESS");
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> ask("requestId=" + requestId, USER).status() == 200);
  }

  @Test
  void shouldSurviveAFloodOfUnknownRequests() {
    long product = sales.open(10);
    List<Reply> replies = shop.floodOfUnknown(1_000, product);
    assertThat(replies).allMatch(reply -> reply.status() == 404 || reply.status() == 503);
    assertThat(replies).anyMatch(reply -> reply.status() == 404);
    assertThat(shop.buy(product, USER, "k1").status()).isEqualTo(202);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "idemKey=",
        "idemKey=a%20b",
        "idemKey=a&idemKey=b",
        "idemKey=a&requestId=1-2-0123456789012345",
        "idemKey=a&productId=0",
        "idemKey=a&productId=x",
        "idemKey=a&productId=",
        "productId=1",
        "requestId=1",
        "requestId=1-4712-short",
        "idemKey=%zz"
      })
  void shouldRefuseMalformedQuestions(String query) throws Exception {
    if (query.contains("%zz")) {
      assertThat(RawHttp.get(application.baseUrl(), "/seckill/result?" + query, USER))
          .startsWith("HTTP/1.1 400 ")
          .contains("\"code\":\"INVALID_REQUEST\"");
      return;
    }
    assertInvalid(ask(query, USER));
  }

  @Test
  void shouldRefuseWithoutAnIdentity() {
    Reply reply =
        shop.send(shop.request("/seckill/result?idemKey=a&X-User-Id=1&userId=1").GET().build());
    assertThat(reply.status()).isEqualTo(401);
    assertThat(reply.code()).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void shouldPreferTheResultOverAProduct() {
    assertThat(ask("idemKey=a&productId=1", USER).code()).isEqualTo("UNKNOWN_REQUEST");
  }

  @Test
  void shouldAnswerPendingWithoutMySql() {
    long product = sales.open(10);
    shop.buy(product, USER, "k1");
    assertThat(TestServers.get().redisCommands().hget(BookKeys.users(product), "" + USER))
        .contains("|k1|");
    assertThat(ask("idemKey=k1&productId=" + product, USER).status()).isEqualTo(200);
  }

  private static Reply ask(String query, long userId) {
    return shop.get("/seckill/result?" + query, userId);
  }

  private static void assertUnknown(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(404);
    assertThat(reply.code()).isEqualTo("UNKNOWN_REQUEST");
  }

  private static void assertInvalid(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.code()).isEqualTo("INVALID_REQUEST");
  }

  private static void assertDegraded(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(503);
    assertThat(reply.code()).isEqualTo("DEGRADED");
    assertThat(reply.header("Retry-After")).isPresent();
  }
}
