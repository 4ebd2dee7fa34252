package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.book.BookKeys;
import io.seckill.book.script.Script;
import io.seckill.http.Sales;
import io.seckill.redis.ScriptCall;
import io.seckill.redis.ScriptRunner;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What anybody is told of a sale, on real servers. */
class SaleApiIT {
  private static TestApplication application;
  private static Shop shop;
  private static Sales sales;

  @BeforeAll
  static void start() {
    application = TestApplication.start(Map.of());
    shop = application.shop();
    sales = new Sales(application);
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void shouldTellNameStateAndWindow() {
    long now = System.currentTimeMillis();
    long product = sales.create(1, 1, now - 60_000, now + 3_600_000, Sale.State.OPEN);

    Reply reply = shop.sale(product);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().fieldNames())
        .toIterable()
        .containsExactly("productId", "name", "state", "startsAt", "endsAt", "serverTime");
    assertThat(reply.json().path("productId").asLong()).isEqualTo(product);
    assertThat(reply.member("name")).isEqualTo("Product \"" + product + "\"");
    assertThat(reply.member("state")).isEqualTo("ON_SALE");
    assertThat(Instant.parse(reply.member("startsAt")).toEpochMilli()).isEqualTo(now - 60_000);
    assertThat(Instant.parse(reply.member("endsAt")).toEpochMilli()).isEqualTo(now + 3_600_000);
    assertThat(Instant.parse(reply.member("serverTime"))).isNotNull();
  }

  @Test
  void shouldTellEachState() {
    long now = System.currentTimeMillis();
    assertThat(state(sales.create(1, 1, now + 3_600_000, null, Sale.State.OPEN)))
        .isEqualTo("SCHEDULED");
    assertThat(state(sales.create(1, 1, null, now - 1, Sale.State.OPEN))).isEqualTo("ENDED");
    assertThat(state(sales.create(1, 1, null, null, Sale.State.ENDED))).isEqualTo("ENDED");
    assertThat(state(sales.create(1, 1, null, null, Sale.State.PAUSED))).isEqualTo("PAUSED");
    Reply open = shop.sale(sales.open(1));
    assertThat(open.member("state")).isEqualTo("ON_SALE");
    assertThat(open.json().path("startsAt").isNull()).isTrue();
    assertThat(open.json().path("endsAt").isNull()).isTrue();
  }

  @Test
  void shouldTellWhenASaleIsSoldOutAndWhenUnitsReturn() {
    long product = sales.open(1);
    String requestId = shop.buy(product, 5, "k1").requestId();
    await().atMost(60, TimeUnit.SECONDS).until(() -> state(product).equals("SOLD_OUT"));
    if (TestServers.get().redisCommands().hget(BookKeys.sale(product), "pending").equals("1")) {
      application
          .bean(ScriptRunner.class)
          .call(
              Script.RELEASE, ScriptCall.of(product, "FAIL_SYSTEM", "test", requestId, "k1", "1"));
      await().atMost(60, TimeUnit.SECONDS).until(() -> state(product).equals("ON_SALE"));
    }
  }

  @Test
  void shouldLearnOfASaleThatAnotherNodeMade() {
    try (TestApplication other = TestApplication.start(Map.of())) {
      long product = new Sales(other).open(1);
      await().atMost(60, TimeUnit.SECONDS).until(() -> shop.sale(product).status() == 200);
      TestServers.get()
          .update("UPDATE products SET state = 'PAUSED', name = 'Renamed' WHERE id = ?", product);
      await().atMost(60, TimeUnit.SECONDS).until(() -> state(product).equals("PAUSED"));
      assertThat(shop.sale(product).member("name")).isEqualTo("Renamed");
    }
  }

  @Test
  void shouldLearnByEventWhatAnotherNodeMade() {
    try (TestApplication other =
        TestApplication.start(
            Map.of(
                "seckill.sale.watch-period",
                "3600000",
                "seckill.watch.books-interval",
                "3600000"))) {
      await().atMost(60, TimeUnit.SECONDS).until(() -> other.bean(SaleRegistry.class).isLoaded());
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> other.shop().sale(sales.open(1)).status() == 200);
    }
  }

  @Test
  void shouldRefuseUnknownAndMalformedProducts() {
    Reply unknown = shop.sale(Products.next());
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.code()).isEqualTo("UNKNOWN_PRODUCT");
    Reply malformed = shop.send(shop.request("/seckill/abc").GET().build());
    assertThat(malformed.status()).isEqualTo(400);
    assertThat(malformed.code()).isEqualTo("INVALID_REQUEST");
  }

  private static String state(long product) {
    return shop.sale(product).member("state");
  }
}
