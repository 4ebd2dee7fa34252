package io.seckill.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.rate.RateLimits;
import io.seckill.rate.Rates;
import io.seckill.testing.Products;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The four rates on two nodes of one installation, changed while they sell. The first node believes
 * no forwarded address, the second that of one proxy.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RatesSuite {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CROWD = 30;

  private final Mode mode;
  private final String name;
  private final int redisDatabase;
  private final AtomicLong users = new AtomicLong(1_000);
  private TestApplication first;
  private TestApplication second;

  private long product;

  RatesSuite(Mode mode, String name, int redisDatabase) {
    this.mode = mode;
    this.name = name;
    this.redisDatabase = redisDatabase;
  }

  @BeforeAll
  void start() {
    first = TestApplication.apart(name, redisDatabase, mode.properties).awaitReady();
    Map<String, String> trusting = new HashMap<>(mode.properties);
    trusting.put("seckill.throttle.trusted-proxies", "1");
    second = TestApplication.apart(name, redisDatabase, trusting).awaitReady();
  }

  @AfterAll
  void stop() {
    if (second != null) {
      second.close();
    }
    first.close();
  }

  @BeforeEach
  void open() {
    product = Products.next();
    assertThat(first.shop().createSale(product, terms()).status()).isEqualTo(201);
    setLimits(Map.of("user", 0));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                second.shop().sale(product).status() == 200
                    && limits(second).equals(limits(first)));
  }

  @Test
  void shouldTellOfNoRateWhereThereIsNone() {
    Reply reply = first.shop().buy(product, users.incrementAndGet());

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.header("RateLimit")).isEmpty();
    assertThat(reply.header("RateLimit-Policy")).isEmpty();
  }

  @Test
  void shouldLimitAUserOnEachNodeWhileSelling() {
    double before = throttled(first, "user");
    long user = users.incrementAndGet();
    assertThat(first.shop().buy(product, user, "k").status()).isEqualTo(202);

    setLimits(Map.of("user", 1));

    assertRefused(awaitRefusal(() -> first.shop().buy(product, user, "k")), "user", 1);
    assertThat(throttled(first, "user")).isGreaterThan(before);
    assertRefused(awaitRefusal(() -> second.shop().buy(product, user, "k")), "user", 1);
    Reply other = first.shop().buy(product, users.incrementAndGet());
    assertThat(other.status()).isEqualTo(202);
    assertThat(other.header("RateLimit-Policy")).contains("\"user\";q=1;w=1");
    assertThat(other.header("RateLimit")).contains("\"user\";r=0;t=1");

    setLimits(Map.of("user", 100_000));
    await().atMost(LIMIT).until(() -> limits(second).user() == 100_000);
    assertThat(crowd(() -> second.shop().buyAsync(product, user, "k", null))).doesNotContain(429);

    setLimits(Map.of());
    await().atMost(LIMIT).until(() -> limits(second).user() == 50);
  }

  @Test
  void shouldCountAQuestionOverAllSalesWithItsUser() {
    first.shop().createSale(Products.next(), terms());
    long user = users.incrementAndGet();
    setLimits(Map.of("user", 1));

    Reply refused = awaitRefusal(() -> first.shop().get("/seckill/result?idemKey=unknown", user));
    assertRefused(refused, "user", 1);
  }

  /** Only what MySQL was just asked in vain costs it nothing. */
  @Test
  void shouldCountAQuestionThatGoesOnToMySqlWithItsUser() {
    long user = users.incrementAndGet();
    setLimits(Map.of("user", 1));

    AtomicLong keys = new AtomicLong();
    assertRefused(
        awaitRefusal(() -> first.shop().get(question("k" + keys.incrementAndGet()), user)),
        "user",
        1);
    await()
        .atMost(LIMIT)
        .until(() -> first.shop().get(question("again"), user).code().equals("UNKNOWN_REQUEST"));
    for (int i = 0; i < CROWD; i++) {
      assertThat(first.shop().get(question("again"), user).code()).isEqualTo("UNKNOWN_REQUEST");
    }
  }

  @Test
  void shouldAnswerOthersWhileAFewUsersAskForUnknownKeys() {
    long buyer = users.incrementAndGet();
    String requestId = first.shop().buy(product, buyer).requestId();
    first.shop().awaitEnd(buyer, requestId);

    List<CompletableFuture<Reply>> crowd = new ArrayList<>();
    for (int user = 0; user < 10; user++) {
      long guesser = users.incrementAndGet();
      for (int key = 0; key < CROWD * 2; key++) {
        crowd.add(first.shop().getAsync(question("k" + key), guesser));
      }
    }
    Reply answered = first.shop().get("/seckill/result?requestId=" + requestId, buyer);
    Reply unknown = first.shop().get(question("typo"), buyer);

    assertThat(answered.status()).isEqualTo(200);
    assertThat(unknown.code()).isEqualTo("UNKNOWN_REQUEST");
    assertThat(crowd.stream().map(CompletableFuture::join).map(Reply::status))
        .contains(404)
        .isSubsetOf(404, 429);
  }

  private String question(String key) {
    return "/seckill/result?idemKey=" + key + "&productId=" + product;
  }

  @Test
  void shouldLimitAClientAddressAndBelieveAProxyOnlyWhereOneIsTrusted() {
    setLimits(Map.of("user", 0, "address", 1));
    await().atMost(LIMIT).until(() -> limits(second).address() == 1);
    AtomicLong client = new AtomicLong();

    assertRefused(
        awaitRefusal(() -> buyFrom(first, "192.0.2." + client.incrementAndGet() % 200)),
        "address",
        1);
    assertRefused(awaitRefusal(() -> buyFrom(second, "6.6.6.6, 198.51.100.1")), "address", 1);
    assertRefused(
        awaitRefusal(() -> buyFrom(second, "2001:db8::" + users.get() % 10_000)), "address", 1);
    for (int i = 1; i <= CROWD; i++) {
      assertThat(buyFrom(second, "6.6.6.6, 203.0.113." + i).status()).isEqualTo(202);
      assertThat(buyFrom(second, "2001:db8:1:" + i + "::1").status()).isEqualTo(202);
    }
  }

  @Test
  void shouldLimitAProductOnEachNodeWhileSelling() {
    Map<String, Object> terms = terms();
    terms.put("ratePerSecond", 1);
    assertThat(first.shop().createSale(product, terms).status()).isEqualTo(200);

    assertRefused(awaitRefusal(() -> buy(first, product)), "product", 1);
    assertRefused(awaitRefusal(() -> buy(second, product)), "product", 1);

    terms.put("ratePerSecond", 1_000_000);
    assertThat(second.shop().createSale(product, terms).status()).isEqualTo(200);
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(crowd(() -> buyAsync(first))).doesNotContain(429));
  }

  @Test
  void shouldLimitProductsWithoutARateOfTheirOwn() {
    setLimits(Map.of("user", 0, "product", 1));

    assertRefused(awaitRefusal(() -> buy(second, product)), "product", 1);
    assertRefused(awaitRefusal(() -> buy(second, Products.next())), "product", 1);
  }

  /** Each round has buckets of its own: apart, no product would ever be over its rate. */
  @Test
  void shouldLimitTheSalesOfAnActivityTogether() {
    long other = Products.next();
    Reply refused =
        awaitRefusal(
            () -> {
              long activity = Products.next();
              Map<String, Object> terms = terms();
              terms.put("activityId", activity);
              assertThat(first.shop().createSale(product, terms).json().path("activityId").asLong())
                  .isEqualTo(activity);
              first.shop().createSale(other, terms);
              setActivity(activity, 1);
              buy(first, product);
              return buy(first, other);
            });
    assertRefused(refused, "activity", 1);

    long activity =
        sales(first).stream()
            .filter(sale -> sale.path("productId").asLong() == product)
            .findFirst()
            .orElseThrow()
            .path("activityId")
            .asLong();
    assertRefused(awaitRefusal(() -> buy(second, product)), "activity", 1);
    setActivity(activity, 1_000_000);
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(crowd(() -> buyAsync(second))).doesNotContain(429));

    JsonNode listed = activity(first, activity);
    assertThat(listed.path("ratePerSecond").asInt()).isEqualTo(1_000_000);
    assertThat(listed.path("effective").asInt()).isEqualTo(1_000_000);
    assertThat(listed.path("sales").asInt()).isEqualTo(2);

    setActivity(activity, null);
    setLimits(Map.of("user", 0, "activity", 1));
    assertThat(activity(first, activity).path("effective").asInt()).isEqualTo(1);
    assertRefused(awaitRefusal(() -> buy(second, product)), "activity", 1);
    first.shop().createSale(product, terms());
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(crowd(() -> buyAsync(second))).doesNotContain(429));
  }

  @Test
  void shouldWriteWhatWasAskedWithTheChange() {
    JdbcTemplate mysql = new JdbcTemplate(first.bean(DataSource.class));
    setLimits(Map.of("user", 0, "product", 12_345));
    setActivity(product, 54_321);

    assertThat(
            mysql.queryForList(
                "SELECT action FROM admin_audit WHERE product_id IS NULL AND"
                    + " (detail LIKE '%12345%' OR detail LIKE ?) ORDER BY id",
                String.class, "%\"subjectId\":" + product + ",\"ratePerSecond\":54321%"))
        .containsExactly("PUT_LIMITS", "PUT_ACTIVITY");
    assertThat(first.shop().admin("GET", "/admin/limits", null).json().path("product").asInt())
        .isEqualTo(12_345);
    assertThat(activity(second, product).path("sales").asInt()).isZero();
  }

  @Test
  void shouldTakeTheActivityFromThePathAndNotFromTheQuery() {
    long other = product + 1;

    Reply reply =
        put(
            "/admin/activities/" + product + "?activityId=" + other,
            "application/json",
            "{\"ratePerSecond\":1}");

    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.json().path("activityId").asLong()).isEqualTo(product);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/admin/limits           | {'user':-1}                | user",
        "/admin/limits           | {'user':'many'}            | user",
        "/admin/limits           | {'network':1}              | network",
        "/admin/limits           | []                         |",
        "/admin/activities/7     | {'ratePerSecond':0}        | ratePerSecond",
        "/admin/activities/7     | {'rate':1}                 | rate",
        "/admin/activities/7     |                            |",
        "/admin/activities/seven | {'ratePerSecond':1}        |"
      })
  void shouldRefuseWhatIsMalformed(String path, String body, String member) {
    Reply reply = put(path, "application/json", body == null ? "" : body.replace('\'', '"'));

    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.code()).isEqualTo("INVALID_REQUEST");
    assertThat(reply.member("member")).isEqualTo(member);
    assertThat(put(path, "text/plain", "{}").status()).isIn(400, 415);
    assertThat(first.shop().send(first.shop().request("/admin/limits").GET().build()).status())
        .isEqualTo(401);
  }

  private Reply put(String path, String type, String body) {
    return first
        .shop()
        .send(
            first
                .shop()
                .request(path)
                .header("Authorization", "Bearer " + first.adminToken())
                .header("Content-Type", type)
                .PUT(BodyPublishers.ofString(body))
                .build());
  }

  private static void assertRefused(Reply reply, String limit, int rate) {
    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.header("Content-Type")).contains("application/problem+json");
    assertThat(reply.code()).isEqualTo("THROTTLED");
    assertThat(reply.member("limit")).isEqualTo(limit);
    assertThat(reply.header("Retry-After")).contains("1");
    assertThat(reply.header("RateLimit-Policy")).contains("\"" + limit + "\";q=" + rate + ";w=1");
    assertThat(reply.header("RateLimit")).contains("\"" + limit + "\";r=0;t=1");
  }

  private static Reply awaitRefusal(Supplier<Reply> purchase) {
    return await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(purchase::get, reply -> reply.status() == 429);
  }

  private List<Integer> crowd(Supplier<CompletableFuture<Reply>> purchase) {
    List<CompletableFuture<Reply>> asked = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      asked.add(purchase.get());
    }
    return asked.stream().map(CompletableFuture::join).map(Reply::status).toList();
  }

  private Reply buy(TestApplication node, long productId) {
    return node.shop().buy(productId, users.incrementAndGet());
  }

  private CompletableFuture<Reply> buyAsync(TestApplication node) {
    return node.shop().buyAsync(product, users.incrementAndGet(), null, null);
  }

  private Reply buyFrom(TestApplication node, String forwardedFor) {
    return node.shop()
        .send(
            node.shop()
                .request("/seckill/" + product)
                .header("X-User-Id", "" + users.incrementAndGet())
                .header("X-Forwarded-For", forwardedFor)
                .POST(BodyPublishers.noBody())
                .build());
  }

  private void setLimits(Map<String, Integer> limits) {
    Reply reply = first.shop().admin("PUT", "/admin/limits", limits);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    limits.forEach(
        (limit, rate) -> {
          assertThat(reply.json().path(limit).asInt()).isEqualTo(rate);
          assertThat(reply.json().path("effective").path(limit).asInt()).isEqualTo(rate);
        });
  }

  private void setActivity(long activity, Integer rate) {
    Map<String, Integer> body = new HashMap<>();
    body.put("ratePerSecond", rate);
    Reply reply = first.shop().admin("PUT", "/admin/activities/" + activity, body);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.json().path("activityId").asLong()).isEqualTo(activity);
  }

  /** What a node goes by, without making it read MySQL. */
  private static RateLimits limits(TestApplication node) {
    return node.bean(Rates.class).inForce();
  }

  private static JsonNode activity(TestApplication node, long activity) {
    for (JsonNode each :
        node.shop().admin("GET", "/admin/activities", null).json().path("activities")) {
      if (each.path("activityId").asLong() == activity) {
        return each;
      }
    }
    throw new AssertionError("Not listed: " + activity);
  }

  private static List<JsonNode> sales(TestApplication node) {
    List<JsonNode> sales = new ArrayList<>();
    node.shop().admin("GET", "/admin/sales", null).json().path("sales").forEach(sales::add);
    return sales;
  }

  private static double throttled(TestApplication node, String limit) {
    return node.bean(MeterRegistry.class)
        .get("seckill.throttled")
        .tag("limit", limit)
        .counter()
        .count();
  }

  private static Map<String, Object> terms() {
    Map<String, Object> terms = new HashMap<>();
    terms.put("name", "Rated");
    terms.put("stock", 100_000);
    return terms;
  }
}
