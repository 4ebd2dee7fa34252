package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.QueuedOrder;
import io.seckill.domain.RequestId;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** With strategy B MySQL's own stock goes down with its orders, whatever Redis believes. */
class StrategyBIT {
  private static TestApplication application;
  private static Shop shop;
  private static JdbcTemplate mysql;

  private final long product = Products.next();

  @BeforeAll
  static void start() {
    application = TestApplication.apart("strategyb", 1, Map.of("seckill.strategy", "B"));
    shop = application.shop();
    mysql = new JdbcTemplate(application.bean(DataSource.class));
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void shouldTakeUnitsWithEachOrderAndExplainThem() {
    sale(10, 3);
    Shop.Reply two = shop.buy(product, 1, "a", 2);
    Shop.Reply three = shop.buy(product, 2, "b", 3);
    assertThat(shop.awaitEnd(1, two.requestId())).isEqualTo("SUCCESS");
    assertThat(shop.awaitEnd(2, three.requestId())).isEqualTo("SUCCESS");

    assertThat(count()).isEqualTo(5);
    assertThat(explained()).isEqualTo(5);
    assertThat(
            mysql.queryForList(
                "SELECT delta FROM stock_ledger WHERE product_id = ? AND cause = 'ORDER'"
                    + " ORDER BY delta",
                Long.class,
                product))
        .containsExactly(-3L, -2L);
  }

  @Test
  void shouldSellWhatMySqlHoldsWhereRedisBelievesInMore() {
    sale(120, 1);
    mysql.update("UPDATE products SET count = 100 WHERE id = ?", product);

    Map<Long, CompletableFuture<Shop.Reply>> asked = new TreeMap<>();
    for (long user = 1; user <= 120; user++) {
      asked.put(user, shop.buyAsync(product, user, null, null));
    }
    Map<String, Integer> ends = new TreeMap<>();
    asked.forEach(
        (user, reply) -> {
          assertThat(reply.join().status()).isEqualTo(202);
          ends.merge(shop.awaitEnd(user, reply.join().requestId()), 1, Integer::sum);
        });

    assertThat(ends).isEqualTo(Map.of("SUCCESS", 100, "FAIL_SOLD_OUT", 20));
    assertThat(count()).isZero();
    JsonNode ledger = shop.awaitRest(product);
    assertThat(ledger.path("sold").asLong()).isEqualTo(100);
    assertThat(ledger.path("writtenOff").asLong()).isEqualTo(20);
    assertThat(ledger.path("available").asLong()).isZero();
    assertThat(shop.buy(product, 999).code()).isEqualTo("FAIL_SOLD_OUT");
  }

  @Test
  void shouldGiveTheLastUnitsOrderByOrder() {
    sale(6, 3);
    mysql.update("UPDATE products SET count = 3 WHERE id = ?", product);
    OrderBatch batch = OrderBatch.of(List.of(reserved(1, 2), reserved(2, 2), reserved(3, 1)));

    write(batch);

    List<Map<String, Object>> rows =
        mysql.queryForList(
            "SELECT user_id, status FROM seckill_orders WHERE product_id = ? ORDER BY user_id",
            product);
    assertThat(rows)
        .extracting(row -> row.get("user_id") + " " + row.get("status"))
        .containsExactly("1 SUCCESS", "2 FAIL_SOLD_OUT", "3 SUCCESS");
    assertThat(count()).isZero();
  }

  @Test
  void shouldTakeNothingForOrdersThatAreThere() {
    sale(10, 1);
    OrderBatch first = OrderBatch.of(List.of(reserved(1, 1), reserved(2, 1)));
    write(first);
    assertThat(count()).isEqualTo(8);

    List<QueuedOrder> again = new ArrayList<>(first.orders());
    again.add(reserved(3, 1));
    write(OrderBatch.of(again));
    write(OrderBatch.of(again));

    assertThat(count()).isEqualTo(7);
    assertThat(explained()).isEqualTo(7);
  }

  @Test
  void shouldNotTakeUnitsForAnOrderThatWasCompensatedFirst() {
    sale(10, 1);
    QueuedOrder order = reserved(1, 1);
    mysql.update(
        "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
            + " attempt, epoch, created_at) VALUES (?, ?, 1, 1, ?, 'FAIL_SYSTEM', 'test', 1, 0)",
        order.requestId(),
        product,
        order.order().scopedIdemKey());

    write(OrderBatch.of(List.of(order)));

    assertThat(count()).isEqualTo(10);
  }

  private void sale(long stock, int maxQuantity) {
    Shop.Reply created =
        shop.createSale(
            product, Map.of("name", "Phone", "stock", stock, "maxQuantity", maxQuantity));
    assertThat(created.status()).isEqualTo(201);
  }

  private QueuedOrder reserved(long user, int quantity) {
    OrderRecord order =
        new OrderRecord(
            OrderRecord.VERSION,
            RequestId.of(product, user, "k").toString(),
            product,
            user,
            quantity,
            "k",
            1,
            System.currentTimeMillis() + "-0",
            0);
    return new QueuedOrder(order, new OrderJson().write(order), "test");
  }

  private static void write(OrderBatch batch) {
    try (ProducerTemplate template = application.camelContext().createProducerTemplate()) {
      Exchange written =
          template.request("direct:write-batch", exchange -> exchange.getMessage().setBody(batch));
      assertThat(written.getException()).isNull();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private long count() {
    return mysql.queryForObject("SELECT count FROM products WHERE id = ?", Long.class, product);
  }

  /** What the stock ledger says products.count is. */
  private long explained() {
    return mysql.queryForObject(
        "SELECT SUM(delta) FROM stock_ledger WHERE product_id = ?", Long.class, product);
  }
}
