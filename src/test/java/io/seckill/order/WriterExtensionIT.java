package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import io.seckill.testing.WorkingTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A team writes rows of its own with the orders, as the comment in the route says. */
class WriterExtensionIT {
  private static final String TRANSACTION =
      "src/main/routes/common/order-writer-transaction.camel.yaml";
  private static final String STATEMENT = "sql/insert-details.sql";
  private static final long REFUSED_BUYER = 13;

  @TempDir private Path directory;

  private final long product = Products.next();
  private WorkingTree tree;
  private ApplicationProcess application;
  private Shop shop;
  private JdbcTemplate mysql;

  @ParameterizedTest
  @CsvSource({"full, A, 13", "full, B, 15", "minimal, B, 0"})
  void shouldWriteRowsWithTheOrdersThatStay(String mode, String strategy, int redisDatabase)
      throws Exception {
    Map<String, String> properties =
        new LinkedHashMap<>(
            TestApplication.apart(
                "extension" + mode + strategy.toLowerCase(Locale.ROOT), redisDatabase));
    properties.put("seckill.mode", mode);
    properties.put("seckill.strategy", strategy);
    mysql =
        new JdbcTemplate(
            new DriverManagerDataSource(
                properties.get("seckill.mysql.url"),
                TestServers.get().properties().get("seckill.mysql.user"),
                TestServers.get().properties().get("seckill.mysql.password")));
    tree = new WorkingTree(directory);
    try (ApplicationProcess started = tree.start(properties)) {
      application = started;
      shop = application.shop();
      assertThat(shop.createSale(product, 100).status()).isEqualTo(201);
      mysql.execute(
          "CREATE TABLE order_details (order_id BIGINT PRIMARY KEY, user_id BIGINT,"
              + " CONSTRAINT c_details CHECK (user_id <> "
              + REFUSED_BUYER
              + "))");

      goOnAsBeforeWithoutTheStatement();
      holdOrdersUntilTheStatementIsRight();
      endAnOrderWhoseRowIsRefused();
      writeOneRowForOneUnitAndThreeOrders(strategy, mode);
    }
  }

  private void goOnAsBeforeWithoutTheStatement() {
    tree.save(TRANSACTION, uncommented(tree.read(TRANSACTION)));
    eventually()
        .untilAsserted(
            () ->
                assertThat(Health.message(application.managementUrl(), "live-reload"))
                    .contains(
                        "order-writer-transaction.camel.yaml is not taken: ", "insert-details.sql")
                    .doesNotContain("\n"));
    assertThat(Health.check(application.managementUrl(), "live-reload")).isEqualTo("DOWN");
    assertThat(end(1)).isEqualTo("SUCCESS");
  }

  private void holdOrdersUntilTheStatementIsRight() {
    tree.save(
        STATEMENT,
        "INSERT INTO order_detials (order_id, user_id) VALUES (:#orderId, :#userId)"
            + " ON DUPLICATE KEY UPDATE order_id = order_id");
    Health.awaitUp(application.managementUrl(), "live-reload");
    Shop.Reply held = shop.buy(product, 2);
    eventually()
        .untilAsserted(
            () ->
                assertThat(Health.message(application.managementUrl(), "mysql"))
                    .startsWith("orders wait: MySQL does not accept a statement: ")
                    .contains("order_detials")
                    .doesNotContain("\n"));
    assertThat(Health.check(application.managementUrl(), "mysql")).isEqualTo("DOWN");
    assertThat(shop.resultOf(2, held.requestId()).member("status")).isEqualTo("PENDING");

    tree.edit(STATEMENT, "order_detials", "order_details");
    assertThat(shop.awaitEnd(2, held.requestId())).isEqualTo("SUCCESS");
    assertThat(details()).containsExactlyElementsOf(orders(2));
    Health.awaitUp(application.managementUrl(), "mysql");
  }

  private void endAnOrderWhoseRowIsRefused() {
    Shop.Reply refused = shop.buy(product, REFUSED_BUYER);
    Shop.Reply good = shop.buy(product, 14);
    assertThat(shop.awaitEnd(REFUSED_BUYER, refused.requestId())).isEqualTo("FAIL_SYSTEM");
    assertThat(shop.awaitEnd(14, good.requestId())).isEqualTo("SUCCESS");
    assertThat(details()).containsExactlyElementsOf(orders(2));
  }

  private void writeOneRowForOneUnitAndThreeOrders(String strategy, String mode) {
    long last = Products.next();
    boolean decidedByMySql = mode.equals("full") && strategy.equals("B");
    assertThat(shop.createSale(last, decidedByMySql ? 3 : 1).status()).isEqualTo(201);
    if (decidedByMySql) {
      mysql.update("UPDATE products SET count = 1 WHERE id = ?", last);
    }
    List<Shop.Reply> replies =
        IntStream.rangeClosed(21, 23)
            .mapToObj(user -> shop.buyAsync(last, user, null, null))
            .toList()
            .stream()
            .map(reply -> reply.join())
            .toList();
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i).status() == 202) {
        assertThat(shop.awaitEnd(21 + i, replies.get(i).requestId()))
            .isIn("SUCCESS", "FAIL_SOLD_OUT");
      } else {
        assertThat(replies.get(i).code()).isEqualTo("FAIL_SOLD_OUT");
      }
    }
    assertThat(
            mysql.queryForList(
                "SELECT order_id FROM order_details WHERE user_id BETWEEN 21 AND 23", Long.class))
        .hasSize(1)
        .isEqualTo(
            mysql.queryForList(
                "SELECT id FROM seckill_orders WHERE product_id = ? AND status = 'SUCCESS'",
                Long.class,
                last));
  }

  /** The lines that the route's comment offers, taken out of the comment. */
  private static String uncommented(String route) {
    int from = route.indexOf("# - setBody:");
    int to = route.indexOf("- setBody:", from + "# - setBody:".length());
    return route.substring(0, from)
        + route.substring(from, to).replaceAll("(?m)^( *)# ", "$1").replaceFirst("^# ", "")
        + route.substring(to);
  }

  private String end(long user) {
    return shop.awaitEnd(user, shop.buy(product, user).requestId());
  }

  private List<Long> details() {
    return mysql.queryForList("SELECT order_id FROM order_details ORDER BY order_id", Long.class);
  }

  private List<Long> orders(long fromUser) {
    return mysql.queryForList(
        "SELECT id FROM seckill_orders WHERE user_id >= ? AND status = 'SUCCESS' ORDER BY id",
        Long.class,
        fromUser);
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
  }
}
