package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A MySQL that answers and takes no changes: it became read-only in the middle of a sale, as the
 * old primary does when another takes over, or its disk is full. The user of the application is one
 * whom a read-only server refuses.
 */
class UnwillingMySqlIT {
  private static final TestServers SERVERS = TestServers.get();
  private static final int REDIS_DATABASE = 12;
  private static final String USER = "readonlyit";
  private static final String PASSWORD = "of-the-read-only-test";

  private static TestApplication application;
  private static Shop shop;

  private final long product = Products.next();

  @BeforeAll
  static void start() {
    SERVERS.createUser(USER, PASSWORD);
    SERVERS.administrate("GRANT ALL ON `%_" + USER + "`.* TO " + USER);
    application =
        TestApplication.apart(
            USER,
            REDIS_DATABASE,
            Map.of("seckill.mysql.user", USER, "seckill.mysql.password", PASSWORD));
    shop = application.awaitReady().shop();
  }

  @AfterEach
  void takeChangesAgain() {
    SERVERS.administrate("SET GLOBAL read_only = 0");
  }

  @AfterAll
  static void stop() {
    application.close();
    SERVERS.dropUser(USER);
  }

  @Test
  void shouldHoldOrdersAndTellWhy() {
    assertThat(shop.createSale(product, 10).status()).isEqualTo(201);
    SERVERS.administrate("SET GLOBAL read_only = 1");

    String requestId = shop.buy(product, 1, "k").requestId();
    eventually()
        .untilAsserted(
            () ->
                assertThat(Health.message(application.managementUrl(), "mysql"))
                    .contains("read-only")
                    .contains("orders wait"));
    assertThat(Health.check(application.managementUrl(), "mysql")).isEqualTo("DOWN");
    assertThat(Health.of(application.managementUrl()).statusCode()).as("ready").isEqualTo(200);
    assertThat(shop.resultOf(1, requestId).member("status")).isEqualTo("PENDING");

    SERVERS.administrate("SET GLOBAL read_only = 0");
    assertThat(shop.awaitEnd(1, requestId)).isEqualTo("SUCCESS");
    assertThat(shop.admin("GET", "/admin/dead-letters", null).json().findValues("requestId"))
        .isEmpty();
    Health.awaitUp(application.managementUrl(), "mysql");
  }

  @Test
  void shouldAnswerAdministratorsWithTheReason() {
    assertThat(shop.createSale(product, 10).status()).isEqualTo(201);
    SERVERS.administrate("SET GLOBAL read_only = 1");

    assertDegraded(shop.createSale(Products.next(), 10));
    assertDegraded(shop.admin("POST", "/admin/sales/" + product + "/pause", null));
    assertDegraded(
        shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 5), "r"));
    assertDegraded(shop.admin("PUT", "/admin/limits", Map.of("user", 7)));
    assertThat(shop.admin("GET", "/admin/sales", null).status()).isEqualTo(200);
    assertThat(shop.sale(product).member("state")).isEqualTo("ON_SALE");

    SERVERS.administrate("SET GLOBAL read_only = 0");
    eventually().until(() -> shop.createSale(Products.next(), 10).status() == 201);
  }

  @Test
  void shouldLeaveTheConnectionsThatLeadToIt() {
    List<Map<String, Object>> before = connections();
    assertThat(before).isNotEmpty();
    SERVERS.administrate("SET GLOBAL read_only = 1");

    eventually().untilAsserted(() -> assertThat(connections()).doesNotContainAnyElementsOf(before));
  }

  /** A look needs less room than an order does: that the orders wait must show none the less. */
  @Test
  void shouldHoldOrdersThatFindNoRoomOnTheDisk() {
    assertThat(shop.createSale(product, 10).status()).isEqualTo(201);
    SERVERS.administrate(
        "CREATE TRIGGER %s.no_room BEFORE INSERT ON %s.seckill_orders FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'"
            .formatted(database(), database()));
    String requestId;
    try {
      requestId = shop.buy(product, 1, "k").requestId();
      eventually()
          .untilAsserted(
              () ->
                  assertThat(Health.message(application.managementUrl(), "mysql"))
                      .contains("orders wait: MySQL has no room left on its disk"));
      assertThat(shop.resultOf(1, requestId).member("status")).isEqualTo("PENDING");
    } finally {
      SERVERS.administrate("DROP TRIGGER " + database() + ".no_room");
    }
    assertThat(shop.awaitEnd(1, requestId)).isEqualTo("SUCCESS");
    Health.awaitUp(application.managementUrl(), "mysql");
  }

  private static String database() {
    return SERVERS.urlApart(USER).replaceAll(".*/([^?]*).*", "$1");
  }

  /** As the server numbers them. */
  private static List<Map<String, Object>> connections() {
    return SERVERS.rows(
        "SELECT id FROM information_schema.processlist WHERE user = '" + USER + "'");
  }

  private static void assertDegraded(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(503);
    assertThat(reply.code()).isEqualTo("DEGRADED");
    assertThat(reply.member("detail")).contains("MySQL is read-only");
    assertThat(reply.header("Retry-After")).isPresent();
  }

  private static ConditionFactory eventually() {
    return await().atMost(60, TimeUnit.SECONDS);
  }
}
