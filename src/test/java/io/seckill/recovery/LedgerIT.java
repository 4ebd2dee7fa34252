package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LedgerIT {
  private final Shop shop = TestApplication.shared().shop();
  private final long product = Products.next();

  @Test
  void shouldBalanceAtEveryMomentOfASale() {
    shop.createSale(product, Map.of("name", "Sale", "stock", 300, "maxQuantity", 2));
    List<CompletableFuture<Reply>> buyers = new ArrayList<>();
    List<JsonNode> ledgers = new ArrayList<>();
    for (int user = 1; user <= 400; user++) {
      buyers.add(shop.buyAsync(product, user, "k", 1 + user % 2));
      if (user % 10 == 0) {
        ledgers.add(shop.ledger(product));
      }
    }
    CompletableFuture.allOf(buyers.toArray(CompletableFuture[]::new)).join();
    for (JsonNode ledger = shop.ledger(product);
        ledger.path("pending").asLong() > 0 || ledger.path("outbox").asLong() > 0;
        ledger = shop.ledger(product)) {
      ledgers.add(ledger);
    }
    JsonNode rest = shop.ledger(product);

    assertThat(ledgers)
        .allSatisfy(
            ledger ->
                assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue());
    assertThat(rest.path("balanced").asBoolean()).as(rest.toString()).isTrue();
    assertThat(rest.path("sold").asLong() + rest.path("available").asLong()).isEqualTo(300);
    assertThat(rest.path("orders").path("success").asLong())
        .isEqualTo(
            buyers.stream().map(CompletableFuture::join).filter(r -> r.status() == 202).count());
  }

  @Test
  void shouldSettleARealSaleWithoutDiscrepancy() {
    shop.createSale(product, Map.of("name", "Sale", "stock", 30, "maxQuantity", 2));
    List<CompletableFuture<Reply>> buyers = new ArrayList<>();
    for (int user = 1; user <= 40; user++) {
      buyers.add(shop.buyAsync(product, user, "k", 1 + user % 2));
    }
    CompletableFuture.allOf(buyers.toArray(CompletableFuture[]::new)).join();
    shop.admin("POST", "/admin/sales/" + product + "/end", null);
    JsonNode rest = shop.awaitRest(product);

    Reply settled = shop.admin("POST", "/admin/sales/" + product + "/settle", null);

    assertThat(settled.status()).as(settled.text()).isEqualTo(200);
    assertThat(settled.json().path("sold").asLong()).isEqualTo(rest.path("sold").asLong());
    assertThat(settled.json().path("units").asLong()).isEqualTo(rest.path("sold").asLong());
    assertThat(settled.json().path("discrepancy").asLong()).isZero();
    assertThat(settled.json().has("details")).as(settled.text()).isFalse();
  }
}
