package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.sale.SoldOutGate;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two nodes on the same servers: each shuts its gate by itself, and both open at once. */
class SoldOutGateIT {
  private static final long STRANGER = 999;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static TestApplication first;
  private static TestApplication second;

  private final long product = Products.next();

  @BeforeAll
  static void start() {
    first = TestApplication.shared();
    second = TestApplication.start(Map.of());
  }

  @AfterAll
  static void stop() {
    second.close();
  }

  @Test
  void shouldRefuseStrangersHereAndTellBuyersTheirOwnAnswer() {
    sellOut();
    Shop shop = first.shop();

    Shop.Reply refused = shop.buy(product, STRANGER, "k");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("FAIL_SOLD_OUT");
    assertThat(refused.member("available")).isEqualTo("0");
    assertThat(refused.member("idemKey")).isEqualTo("k");

    Shop.Reply replay = shop.buy(product, 1, "k1");
    assertThat(replay.status()).isIn(200, 202);
    assertThat(shop.buy(product, 1, "other").code()).isEqualTo("FAIL_DUPLICATE");
  }

  @Test
  void shouldSellRestockedUnitsOnEveryNode() {
    sellOut();
    Shop.Reply restocked =
        first
            .shop()
            .admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 2), "restock-1");
    assertThat(restocked.status()).isEqualTo(200);

    await().atMost(LIMIT).until(() -> second.shop().buy(product, 11).status() == 202);
    await().atMost(LIMIT).until(() -> first.shop().buy(product, 12).status() == 202);
    awaitShut();
    assertThat(second.shop().buy(product, STRANGER).code()).isEqualTo("FAIL_SOLD_OUT");
  }

  @Test
  void shouldTellThatTheSaleIsPausedOrEnded() {
    sellOut();
    first.shop().admin("POST", "/admin/sales/" + product + "/pause", null);
    await()
        .atMost(LIMIT)
        .until(() -> "FAIL_PAUSED".equals(second.shop().buy(product, STRANGER).code()));
    first.shop().admin("POST", "/admin/sales/" + product + "/end", null);
    await()
        .atMost(LIMIT)
        .until(() -> "FAIL_ENDED".equals(second.shop().buy(product, STRANGER).code()));
  }

  private void sellOut() {
    Shop shop = first.shop();
    assertThat(shop.createSale(product, 2).status()).isEqualTo(201);
    assertThat(shop.buy(product, 1, "k1").status()).isEqualTo(202);
    assertThat(shop.buy(product, 2, "k2").status()).isEqualTo(202);
    awaitShut();
  }

  private void awaitShut() {
    for (TestApplication node : List.of(first, second)) {
      SoldOutGate gate = node.bean(SoldOutGate.class);
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                node.shop().buy(product, STRANGER);
                return gate.refuses(product, STRANGER, 1);
              });
    }
  }
}
