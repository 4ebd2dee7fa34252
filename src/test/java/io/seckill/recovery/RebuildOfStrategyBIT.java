package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.book.BookKeys;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RebuildOfStrategyBIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final long productId = Products.next();

  @Test
  void shouldNotSellAgainWhatWasWrittenOff() {
    try (OwnServers servers = OwnServers.start();
        TestApplication application = servers.application(Map.of("seckill.strategy", "B"))) {
      Shop shop = application.shop();
      assertThat(shop.createSale(productId, 5).status()).isEqualTo(201);
      servers.update("UPDATE products SET count = 3 WHERE id = ?", productId);
      for (long user = 1; user <= 4; user++) {
        shop.buyOnceOpen(productId, user, "k");
      }
      awaitUnits(shop, 3, 1, 1);
      servers.commands().unlink(BookKeys.all(productId));

      Shop.Reply rebuilt = shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
      assertThat(rebuilt.status()).as(rebuilt.text()).isEqualTo(200);
      assertThat(rebuilt.json().path("after").path("writtenOff").asLong()).isEqualTo(2);
      awaitUnits(shop, 3, 2, 0);
      assertThat(shop.buyOnceOpen(productId, 6, "k").code()).isEqualTo("FAIL_SOLD_OUT");
      assertThat(servers.ordered(productId)).isEqualTo(3);
      assertThat(servers.number("SELECT count FROM products WHERE id = ?", productId)).isZero();
    }
  }

  @Test
  void shouldSellAgainWhatIsRestockedAfterAShortageAndALoss() {
    try (OwnServers servers = OwnServers.start();
        TestApplication application = servers.application(Map.of("seckill.strategy", "B"))) {
      Shop shop = application.shop();
      assertThat(shop.createSale(productId, 1).status()).isEqualTo(201);
      shop.buyOnceOpen(productId, 1, "k");
      awaitUnits(shop, 1, 0, 0);
      // Redis holds a unit that MySQL has not
      servers.commands().hset(BookKeys.sale(productId), "available", "1");
      servers.restartRedisFrom(servers.copyOfRedis());
      shop.buyOnceOpen(productId, 2, "k");
      await().atMost(LIMIT).until(() -> shop.ledger(productId).path("writtenOff").asLong() == 1);
      servers.commands().unlink(BookKeys.all(productId));

      Shop.Reply rebuilt = shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null);
      assertThat(rebuilt.status()).as(rebuilt.text()).isEqualTo(200);
      awaitUnits(shop, 1, 0, 0);
      assertThat(
              shop.admin(
                      "POST", "/admin/sales/" + productId + "/restock", Map.of("units", 1), "more")
                  .status())
          .isEqualTo(200);
      assertThat(shop.buyOnceOpen(productId, 3, "k").status()).isEqualTo(202);
      awaitUnits(shop, 2, 0, 0);
      assertThat(servers.number("SELECT count FROM products WHERE id = ?", productId)).isZero();
    }
  }

  private void awaitUnits(Shop shop, long sold, long writtenOff, long available) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              JsonNode ledger = shop.ledger(productId);
              assertThat(ledger.path("sold").asLong()).as(ledger.toString()).isEqualTo(sold);
              assertThat(ledger.path("writtenOff").asLong())
                  .as(ledger.toString())
                  .isEqualTo(writtenOff);
              assertThat(ledger.path("available").asLong())
                  .as(ledger.toString())
                  .isEqualTo(available);
              assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
            });
  }
}
