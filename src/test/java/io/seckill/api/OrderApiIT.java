package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.book.BookKeys;
import io.seckill.domain.RequestId;
import io.seckill.http.Sales;
import io.seckill.redis.BookScripts;
import io.seckill.redis.ScriptCall;
import io.seckill.redis.ScriptRunner;
import io.seckill.sale.Sale;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each row of the contract of {@code POST /seckill/{productId}}, on real servers. */
class OrderApiIT {
  private static final long USER = 4711;

  private static TestApplication application;
  private static Shop shop;
  private static Sales sales;
  private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() {
    application = TestApplication.start(Map.of("seckill.throttle.user-rate", "0"));
    shop = application.shop();
    sales = new Sales(application);
    ((VertxInternal) application.bean(Vertx.class))
        .blockedThreadChecker()
        .setThreadBlockedHandler(event -> BLOCKED.add(event.thread().getName()));
  }

  @AfterAll
  static void stop() {
    application.close();
    assertThat(BLOCKED).as("event loops that were blocked").isEmpty();
  }

  @Test
  void shouldReserve() {
    long product = sales.open(10);

    Reply reply = shop.buy(product, USER, "k1");

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.header("Content-Type")).contains("application/json");
    assertThat(reply.header("Retry-After")).contains("1");
    assertThat(reply.header("Location"))
        .contains("/seckill/result?idemKey=k1&productId=" + product);
    assertThat(reply.json().fieldNames())
        .toIterable()
        .containsExactly("requestId", "idemKey", "productId", "status");
    assertThat(reply.requestId()).isEqualTo(RequestId.of(product, USER, "k1").toString());
    assertThat(reply.member("idemKey")).isEqualTo("k1");
    assertThat(reply.json().path("productId").asLong()).isEqualTo(product);
    assertThat(reply.member("status")).isEqualTo("PENDING");
    assertThat(shop.get(reply.header("Location").orElseThrow(), USER).requestId())
        .isEqualTo(reply.requestId());
  }

  @Test
  void shouldMakeAKeyWhereNoneIsGiven() {
    long product = sales.open(10);

    Reply reply = shop.buy(product, USER);

    String key = reply.member("idemKey");
    assertThat(key).matches("[A-Za-z0-9._:-]{1,40}");
    assertThat(shop.buy(product, USER, key).requestId()).isEqualTo(reply.requestId());
    assertThat(shop.buy(product, USER + 1).member("idemKey")).isNotEqualTo(key);
  }

  @Test
  void shouldAnswerTheSameKeyTheSame() {
    long product = sales.create(1, 1, null, null, Sale.State.OPEN);
    String first = shop.buy(product, USER, "k1").requestId();

    Reply again = shop.buy(product, USER, "k1");

    assertThat(again.status()).isIn(202, 200);
    assertThat(again.requestId()).isEqualTo(first);
    assertThat(shop.buy(product, USER + 1, "k1").code()).isEqualTo("FAIL_SOLD_OUT");
    assertThat(shop.buy(product, USER, "k1").requestId()).isEqualTo(first);
  }

  @Test
  void shouldAnswerTheSameKeyWithItsEnd() {
    long product = sales.open(10);
    String won = shop.buy(product, USER, "won").requestId();
    script("confirm", product, won, "77", "1");
    String lost = shop.buy(product, USER + 1, "lost").requestId();
    script("release", product, "FAIL_SYSTEM", "gave up", lost, "lost", "1");

    Reply success = shop.buy(product, USER, "won");
    assertThat(success.status()).isEqualTo(200);
    assertThat(success.member("status")).isEqualTo("SUCCESS");
    assertThat(success.json().path("orderId").asLong()).isEqualTo(77);
    Reply failure = shop.buy(product, USER + 1, "lost");
    assertThat(failure.status()).isEqualTo(200);
    assertThat(failure.member("status")).isEqualTo("FAIL_SYSTEM");
    assertThat(failure.member("reason")).isEqualTo("gave up");
    assertThat(failure.json().has("orderId")).isFalse();
    assertThat(shop.buy(product, USER + 1, "another").status()).isEqualTo(202);
    assertThat(shop.buy(product, USER + 1, "lost").member("status")).isEqualTo("FAIL_SYSTEM");
  }

  @Test
  void shouldRefuseAKeyWithAnotherQuantity() {
    long product = sales.create(10, 5, null, null, Sale.State.OPEN);
    shop.buy(product, USER, "k1", 2);

    Reply reply = shop.buy(product, USER, "k1", 3);

    assertRefused(reply, 422, "KEY_REUSED");
  }

  @Test
  void shouldRefuseASecondPurchase() {
    long product = sales.open(10);
    String live = shop.buy(product, USER, "k1").requestId();

    Reply reply = shop.buy(product, USER, "k2");

    assertRefused(reply, 409, "FAIL_DUPLICATE");
    assertThat(reply.requestId()).isEqualTo(live);
    assertThat(shop.result(USER, reply.member("idemKey"), product).requestId()).isEqualTo(live);
  }

  @Test
  void shouldRefuseOutsideTheWindow() {
    long now = System.currentTimeMillis();
    long later = sales.create(10, 1, now + 3_600_000, null, Sale.State.OPEN);
    long over = sales.create(10, 1, null, now - 1_000, Sale.State.OPEN);
    long paused = sales.create(10, 1, null, null, Sale.State.PAUSED);
    long ended = sales.create(10, 1, null, null, Sale.State.ENDED);

    Reply notStarted = shop.buy(later, USER, "k1");
    assertRefused(notStarted, 409, "FAIL_NOT_STARTED");
    assertThat(notStarted.member("startsAt"))
        .isEqualTo(Instant.ofEpochMilli(now + 3_600_000).toString());
    assertThat(Long.parseLong(notStarted.header("Retry-After").orElseThrow()))
        .isBetween(1L, 3_600L);
    assertThat(notStarted.member("idemKey")).isEqualTo("k1");
    assertRefused(shop.buy(over, USER), 409, "FAIL_ENDED");
    assertRefused(shop.buy(ended, USER), 409, "FAIL_ENDED");
    assertRefused(shop.buy(paused, USER), 409, "FAIL_PAUSED");
    assertThat(shop.buy(paused, USER).member("idemKey")).isNotBlank();
  }

  @Test
  void shouldRefuseMoreThanTheLimit() {
    long product = sales.create(10, 2, null, null, Sale.State.OPEN);

    assertRefused(shop.buy(product, USER, "k1", 3), 409, "FAIL_LIMIT");
    assertThat(shop.buy(product, USER, "k1", 2).status()).isEqualTo(202);
  }

  @Test
  void shouldRefuseWhenTooFewAreLeft() {
    long product = sales.create(3, 3, null, null, Sale.State.OPEN);
    shop.buy(product, USER, "k1", 2);

    Reply reply = shop.buy(product, USER + 1, "k1", 2);

    assertRefused(reply, 409, "FAIL_SOLD_OUT");
    assertThat(reply.json().path("available").asLong(-1)).isEqualTo(1);
    assertThat(reply.member("idemKey")).isEqualTo("k1");
    assertThat(shop.buy(product, USER + 1, "k1", 1).status()).isEqualTo(202);
  }

  @Test
  void shouldNotKnowOtherProducts() {
    assertRefused(shop.buy(Products.next(), USER), 404, "UNKNOWN_PRODUCT");
  }

  @Test
  void shouldFailClosedWithoutABook() {
    long product = sales.withoutBook();

    Reply reply = shop.buy(product, USER, "k1");

    assertRefused(reply, 503, "DEGRADED");
    assertThat(reply.header("Retry-After")).isPresent();
    assertThat(reply.member("idemKey")).isEqualTo("k1");
    assertThat(reply.member("detail")).contains("again with the same Idempotency-Key");
    sales.giveBook(product);
  }

  @Test
  void shouldFailClosedWhenTheOutboxIsFull() {
    try (TestApplication small = TestApplication.start(Map.of("seckill.outbox.max-length", "1"))) {
      long product = sales.bookOnly(10);
      TestServers.get()
          .redisCommands()
          .xadd(BookKeys.outbox(product), Map.of("requestId", "stuck-by-the-test"));

      Reply reply = small.shop().buy(product, USER, "k1");

      assertRefused(reply, 503, "DEGRADED");
      assertThat(reply.member("idemKey")).isEqualTo("k1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-1", "01", "+1", "1.0", "abc", "9223372036854775808", "%31", "1%20"})
  void shouldRefuseMalformedProducts(String product) {
    assertRefused(post(product, Map.of("X-User-Id", "1"), ""), 400, "INVALID_REQUEST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "k/1", "k\"1", "01234567890123456789012345678901234567890"})
  void shouldRefuseMalformedKeys(String key) {
    long product = Products.next();
    assertRefused(
        post("" + product, Map.of("X-User-Id", "1", "Idempotency-Key", key), ""),
        400,
        "INVALID_REQUEST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "x", "1.5", "9223372036854775808"})
  void shouldRefuseMalformedUsers(String user) {
    assertRefused(post("1", Map.of("X-User-Id", user), ""), 400, "INVALID_REQUEST");
  }

  @Test
  void shouldRefuseWithoutAnIdentity() {
    Reply reply = post("1", Map.of(), "");
    assertRefused(reply, 401, "UNAUTHENTICATED");
    assertThat(reply.header("WWW-Authenticate")).isPresent();
    assertRefused(post("1?X-User-Id=7&userId=7", Map.of(), ""), 401, "UNAUTHENTICATED");
    assertRefused(
        post("1", Map.of("Content-Type", "application/json"), "{\"userId\":7}"),
        401,
        "UNAUTHENTICATED");
    assertRefused(
        shop.send(
            shop.request("/seckill/1")
                .header("X-User-Id", "1")
                .header("X-User-Id", "2")
                .POST(BodyPublishers.noBody())
                .build()),
        401,
        "UNAUTHENTICATED");
  }

  @Test
  void shouldJudgeTheBodyByTypeAndContent() {
    Map<String, Integer> bodies =
        Map.ofEntries(
            Map.entry("application/json|{", 400),
            Map.entry("application/json|[]", 400),
            Map.entry("application/json|null", 400),
            Map.entry("application/json| ", 400),
            Map.entry("application/json|{\"quantity\":0}", 400),
            Map.entry("application/json|{\"quantity\":-1}", 400),
            Map.entry("application/json|{\"quantity\":1.0}", 400),
            Map.entry("application/json|{\"quantity\":\"1\"}", 400),
            Map.entry("application/json|{\"quantity\":null}", 400),
            Map.entry("application/json|{\"quantity\":2147483648}", 400),
            Map.entry("application/json|{\"quantity\":1,\"quantity\":2}", 400),
            Map.entry("application/json|{\"quantity\":1} {}", 400),
            Map.entry("text/plain|{\"quantity\":1}", 415),
            Map.entry("application/x-www-form-urlencoded|quantity=1", 415),
            Map.entry("multipart/form-data; boundary=x|--x--", 415),
            Map.entry("|hello", 415),
            Map.entry("application/json|", 202),
            Map.entry("application/json|{}", 202),
            Map.entry("Application/JSON ; charset=utf-8|{\"quantity\":1,\"a\":{\"b\":[1]}}", 202),
            Map.entry("application/vnd.shop+json|{\"quantity\":1}", 202),
            Map.entry("|{\"quantity\":1}", 202));
    long product = sales.open(100);
    long user = USER;
    for (Map.Entry<String, Integer> body : bodies.entrySet()) {
      String[] parts = body.getKey().split("\\|", 2);
      Map<String, String> headers =
          parts[0].isEmpty()
              ? Map.of("X-User-Id", "" + ++user)
              : Map.of("X-User-Id", "" + ++user, "Content-Type", parts[0]);
      Reply reply = post("" + product, headers, parts[1]);
      assertThat(reply.status()).as(body.getKey()).isEqualTo(body.getValue());
      if (reply.status() != 202) {
        assertThat(reply.header("Content-Type")).contains("application/problem+json");
        assertThat(reply.code())
            .isEqualTo(reply.status() == 400 ? "INVALID_REQUEST" : "UNSUPPORTED_MEDIA_TYPE");
      }
    }
  }

  @Test
  void shouldRefuseLongBodies() {
    assertRefused(
        post("1", Map.of("X-User-Id", "1", "Content-Type", "application/json"), " ".repeat(4097)),
        413,
        "BODY_TOO_LARGE");
  }

  @Test
  void shouldThrottle() {
    try (TestApplication slow =
        TestApplication.start(
            Map.of("seckill.throttle.user-rate", "2", "seckill.throttle.product-rate", "5"))) {
      Shop there = slow.shop();
      long product = sales.open(100);
      List<Reply> ofOneUser = new ArrayList<>();
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(
              () -> {
                ofOneUser.add(there.buy(product, USER, "k1"));
                return last(ofOneUser).status() == 429;
              });
      assertRefused(last(ofOneUser), 429, "THROTTLED");
      assertThat(last(ofOneUser).header("Retry-After")).contains("1");
      assertThat(ofOneUser.get(0).status()).isEqualTo(202);

      long other = sales.open(1000);
      List<Reply> ofManyUsers =
          LongStream.range(1, 101)
              .mapToObj(user -> there.buyAsync(other, user, null, null))
              .toList()
              .stream()
              .map(CompletableFuture::join)
              .toList();
      assertThat(ofManyUsers).anyMatch(reply -> reply.status() == 429);
      assertThat(ofManyUsers).anyMatch(reply -> reply.status() == 202);
    }
  }

  @Test
  void shouldSellEachUnitOnce() {
    long product = sales.open(50);
    List<Reply> replies =
        LongStream.rangeClosed(1, 1_000)
            .mapToObj(user -> shop.buyAsync(product, user, "k" + user, null))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    Map<Integer, Long> byStatus =
        replies.stream().collect(Collectors.groupingBy(Reply::status, Collectors.counting()));
    assertThat(byStatus).isEqualTo(Map.of(202, 50L, 409, 950L));
    assertThat(replies.stream().filter(reply -> reply.status() == 409))
        .allMatch(reply -> reply.code().equals("FAIL_SOLD_OUT"));
    assertThat(replies.stream().map(Reply::requestId).filter(id -> id != null).distinct())
        .hasSize(50);
  }

  @Test
  void shouldSellToAUserOnceWhoRacesHimself() {
    long product = sales.open(50);
    List<Reply> replies =
        LongStream.rangeClosed(1, 100)
            .mapToObj(i -> shop.buyAsync(product, USER, i % 2 == 0 ? "same" : "k" + i, null))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    assertThat(replies).allMatch(reply -> List.of(202, 200, 409).contains(reply.status()));
    assertThat(replies.stream().map(Reply::requestId).distinct()).hasSize(1);
    assertThat(replies.stream().filter(reply -> reply.status() == 409))
        .allMatch(reply -> reply.code().equals("FAIL_DUPLICATE"));
    assertThat(TestServers.get().redisCommands().hget(BookKeys.sale(product), "available"))
        .isEqualTo("49");
  }

  @Test
  void shouldHeedNothingThatIsInjected() {
    long product = sales.open(10);
    Reply reply =
        shop.send(
            shop.request(
                    "/seckill/"
                        + product
                        + "?CamelSqlQuery=DROP%20TABLE%20products&kafka.OVERRIDE_TOPIC=evil"
                        + "&CamelHttpResponseCode=200&outcome=SOLD_OUT&userId=1&quantity=5")
                .header("X-User-Id", "" + USER)
                .header("Idempotency-Key", "k1")
                .header("CamelSqlQuery", "DROP TABLE products")
                .header("kafka.OVERRIDE_TOPIC", "evil")
                .header("CamelHttpResponseCode", "200")
                .header("CamelRedis.Command", "FLUSHALL")
                .header("X-Echo", "echoed")
                .POST(BodyPublishers.noBody())
                .build());

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.requestId()).isEqualTo(RequestId.of(product, USER, "k1").toString());
    assertThat(reply.headers().map().keySet())
        .containsOnly("content-type", "content-length", "location", "retry-after");
  }

  private static List<Object> script(String name, long product, String... arguments) {
    return BookScripts.run(
        application.bean(ScriptRunner.class), name, ScriptCall.of(product, arguments));
  }

  private static Reply post(String product, Map<String, String> headers, String body) {
    HttpRequest.Builder request = shop.request("/seckill/" + product);
    headers.forEach(request::header);
    return shop.send(request.POST(BodyPublishers.ofString(body)).build());
  }

  private static Reply last(List<Reply> replies) {
    return replies.get(replies.size() - 1);
  }

  private static void assertRefused(Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).contains("application/problem+json");
    assertThat(reply.code()).isEqualTo(code);
    assertThat(reply.json().path("status").asInt()).isEqualTo(status);
  }
}
