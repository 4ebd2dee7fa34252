package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.redis.ScriptRunner;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is left of a sale once its book has left Redis. */
class SettledBooksIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static TestApplication application;
  private static Shop shop;

  private final long product = Products.next();
  private final String sale = "/admin/sales/" + product;

  @BeforeAll
  static void start() {
    application =
        TestApplication.apart(
            "settledbooks",
            10,
            Map.of("seckill.settlement.keep-book", "0", "seckill.settlement.interval", "200"));
    application.awaitReady();
    shop = application.shop();
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void shouldAnswerFromMySqlWhatTheBookToldBefore() {
    shop.createSale(product, Map.of("name", "Sale", "stock", 5, "maxQuantity", 2));
    String requestId = shop.buy(product, 1, "k", 2).requestId();
    assertThat(shop.awaitEnd(1, requestId)).isEqualTo("SUCCESS");
    long beside = Products.next();
    shop.createSale(beside, 5);
    assertThat(shop.awaitEnd(2, shop.buyOnceOpen(beside, 2, "k").requestId())).isEqualTo("SUCCESS");
    JsonNode before = shop.awaitRest(product);

    assertThat(shop.admin("POST", sale + "/end", null).status()).isEqualTo(200);
    await().atMost(LIMIT).until(() -> !hasBook());
    awaitKnownAsSettled();

    Reply result = shop.get("/seckill/result?idemKey=k&productId=" + product, 1);
    assertThat(result.member("status")).as(result.text()).isEqualTo("SUCCESS");
    assertThat(result.requestId()).isEqualTo(requestId);
    assertThat(shop.get("/seckill/result?idemKey=k", 1).requestId()).isEqualTo(requestId);
    assertThat(shop.get("/seckill/result?idemKey=other&productId=" + product, 1).code())
        .isEqualTo("UNKNOWN_REQUEST");
    Reply again = shop.buy(product, 1, "k", 2);
    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertThat(again.member("status")).as(again.text()).isEqualTo("SUCCESS");
    assertThat(again.requestId()).isEqualTo(requestId);
    assertThat(shop.buy(product, 1, "k", 1).code()).isEqualTo("KEY_REUSED");
    for (int i = 0; i < 2; i++) {
      Reply late = shop.buy(product, 2, "k", 2);
      assertThat(late.code()).as(late.text()).isEqualTo("FAIL_ENDED");
      assertThat(late.member("idemKey")).isEqualTo("k");
    }
    assertThat(shop.get("/seckill/" + product, 1).member("state")).isEqualTo("ENDED");

    JsonNode ledger = shop.ledger(product);
    for (String member : new String[] {"initial", "available", "pending", "sold", "orders"}) {
      assertThat(ledger.path(member)).as(ledger.toString()).isEqualTo(before.path(member));
    }
    assertThat(ledger.path("balanced").asBoolean()).as(ledger.toString()).isTrue();
    Reply settled = shop.admin("POST", sale + "/settle", null);
    assertThat(settled.json().path("sold").asLong()).as(settled.text()).isEqualTo(2);
    assertThat(shop.admin("POST", sale + "/end", null).status()).isEqualTo(200);
    assertThat(shop.admin("POST", sale + "/rebuild", null).code()).isEqualTo("SETTLED");
    assertThat(
            shop.createSale(product, Map.of("name", "Other", "stock", 5, "maxQuantity", 2)).code())
        .isEqualTo("SETTLED");
  }

  @Test
  void shouldKeepTheBookOfASettlementWithADiscrepancy() throws SQLException {
    shop.createSale(product, 5);
    assertThat(shop.awaitEnd(1, shop.buy(product, 1, "k").requestId())).isEqualTo("SUCCESS");
    shop.awaitRest(product);
    try (Connection connection = application.bean(DataSource.class).getConnection();
        PreparedStatement delete =
            connection.prepareStatement("DELETE FROM seckill_orders WHERE product_id = ?")) {
      delete.setLong(1, product);
      assertThat(delete.executeUpdate()).isEqualTo(1);
    }

    long beside = Products.next();
    shop.createSale(beside, 1);
    shop.admin("POST", sale + "/end", null);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              Reply settled = shop.admin("POST", sale + "/settle", null);
              assertThat(settled.status()).as(settled.text()).isEqualTo(200);
            });
    shop.admin("POST", "/admin/sales/" + beside + "/end", null);
    await("a later one has left")
        .atMost(LIMIT)
        .until(() -> application.bean(ScriptRunner.class).book(beside).isEmpty());

    assertThat(hasBook()).isTrue();
  }

  private boolean hasBook() {
    return application.bean(ScriptRunner.class).book(product).isPresent();
  }

  private void awaitKnownAsSettled() {
    await().atMost(LIMIT).until(() -> "FAIL_ENDED".equals(shop.buy(product, 2, "k").code()));
  }
}
