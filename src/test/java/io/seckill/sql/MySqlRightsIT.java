package io.seckill.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.seckill.StartRefusedException;
import io.seckill.testing.Document;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user of MySQL with the rights that docs/DEPLOYING.md names, and with one of them missing. */
class MySqlRightsIT {
  private static final TestServers SERVERS = TestServers.get();
  private static final String USER = "rightsit";
  private static final String PASSWORD = "of-the-rights-test";
  private static final String DATABASE = "seckill_rightsit";
  private static final int REDIS_DATABASE = 15;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @BeforeAll
  static void createUser() {
    SERVERS.createUser(USER, PASSWORD);
  }

  @AfterAll
  static void dropUser() {
    SERVERS.dropUser(USER);
  }

  @BeforeEach
  void createDatabase() {
    SERVERS.update("DROP DATABASE IF EXISTS " + DATABASE);
    SERVERS.update("CREATE DATABASE " + DATABASE);
  }

  @AfterEach
  void withdraw() {
    SERVERS.administrate("REVOKE ALL ON " + DATABASE + ".* FROM " + USER);
    SERVERS.update("DROP DATABASE " + DATABASE);
  }

  private static List<String> documented() {
    String line = Document.of("docs/DEPLOYING.md").commands("GRANT").get(0);
    return Arrays.asList(line.replaceAll("GRANT (.*) ON .*", "$1").split(", "));
  }

  private static void grant(List<String> rights) {
    SERVERS.administrate(
        "GRANT " + String.join(", ", rights) + " ON " + DATABASE + ".* TO " + USER);
  }

  private static String url() {
    return SERVERS
        .properties()
        .get("seckill.mysql.url")
        .replaceAll("(jdbc:mysql://[^/]+/)[^?]*(.*)", "$1" + DATABASE + "$2");
  }

  private static TestApplication application(String strategy) {
    return application(strategy, Map.of());
  }

  private static TestApplication application(String strategy, Map<String, String> more) {
    Map<String, String> properties = new LinkedHashMap<>(more);
    properties.put("seckill.mysql.url", url());
    properties.put("seckill.mysql.user", USER);
    properties.put("seckill.mysql.password", PASSWORD);
    properties.put("seckill.strategy", strategy);
    return TestApplication.apart(USER, REDIS_DATABASE, properties);
  }

  @Test
  void shouldMigrateAndSellWithTheDocumentedRightsAlone() {
    grant(documented());
    try (TestApplication application = application("A")) {
      assertDoesEverything(application.awaitReady().shop());
    }
  }

  @Test
  void shouldNeedNoRightOnTheTablesOnceTheyAreUpToDate() {
    grant(documented());
    open();
    SERVERS.administrate("REVOKE ALL ON " + DATABASE + ".* FROM " + USER);
    grant(
        documented().stream()
            .filter(List.of("SELECT", "INSERT", "UPDATE")::contains)
            .collect(Collectors.toList()));

    try (TestApplication application = application("B")) {
      assertDoesEverything(application.awaitReady().shop());
    }
  }

  /** The first delivery fails, and goes a moment later, because its time is over. */
  @Test
  void shouldSendToWebhooksWithTheDocumentedRightsAlone() {
    grant(documented());
    open();
    SERVERS.administrate("REVOKE ALL ON " + DATABASE + ".* FROM " + USER);
    grant(List.of("SELECT", "INSERT", "UPDATE", "DELETE"));
    Map<String, String> webhooks = new LinkedHashMap<>();
    webhooks.put("seckill.results", "on");
    webhooks.put("seckill.results.topic", "seckill.results." + USER);
    webhooks.put("seckill.webhooks", "on");
    webhooks.put("seckill.webhooks.group", "seckill-webhooks-" + USER);
    webhooks.put("seckill.webhooks.http", "true");
    webhooks.put("seckill.webhooks.private-addresses", "true");
    webhooks.put("seckill.webhooks.interval", "50");
    webhooks.put("seckill.webhooks.keep", "3000");
    webhooks.put("seckill.webhooks.expiry-interval", "200");
    try (TestApplication application = application("A", webhooks)) {
      Shop shop = application.awaitReady().shop();
      long product = Products.next();
      shop.openSale(product, 5);
      Map<String, ?> terms =
          Map.of("url", "http://127.0.0.1:9/", "events", List.of("io.seckill.order.success"));
      Shop.Reply added = shop.admin("POST", "/admin/webhooks", terms);
      assertThat(added.status()).as(added.text()).isEqualTo(201);
      String path = "/admin/webhooks/" + added.member("id");

      shop.buy(product, 1);

      await()
          .atMost(LIMIT)
          .until(() -> shop.admin("GET", path + "/deliveries", null).text().contains("refused"));
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  shop.admin("GET", path + "/deliveries", null)
                      .json()
                      .path("deliveries")
                      .isEmpty());
      for (String[] call :
          new String[][] {{"POST", "/secret"}, {"POST", "/test"}, {"PUT", ""}, {"DELETE", ""}}) {
        Shop.Reply reply =
            shop.admin(call[0], path + call[1], call[0].equals("PUT") ? terms : null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      }
    }
  }

  private static void assertDoesEverything(Shop shop) {
    long product = Products.next();
    assertThat(shop.createSale(product, 5).status()).isEqualTo(201);
    assertThat(shop.awaitEnd(1, shop.buy(product, 1).requestId())).isEqualTo("SUCCESS");
    Shop.Reply restocked =
        shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 1), "r");
    assertThat(restocked.status()).as(restocked.text()).isEqualTo(200);
    for (String call : List.of("pause", "resume", "rebuild", "end", "settle")) {
      shop.awaitRest(product);
      Shop.Reply reply = shop.admin("POST", "/admin/sales/" + product + "/" + call, null);
      assertThat(reply.status()).as(call + ": " + reply.text()).isEqualTo(200);
    }
    assertThat(shop.admin("PUT", "/admin/limits", Map.of("user", 50)).status()).isEqualTo(200);
    assertThat(shop.admin("GET", "/admin/sales", null).status()).isEqualTo(200);
    assertThat(shop.admin("GET", "/admin/dead-letters", null).status()).isEqualTo(200);
    assertThat(shop.ledger(product).path("balanced").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT", "INSERT", "CREATE", "ALTER"})
  void shouldRefuseToStartWithoutARightThatMigrationsNeed(String right) {
    assertThat(documented()).contains(right);
    grant(documented().stream().filter(each -> !each.equals(right)).toList());
    assertThatThrownBy(MySqlRightsIT::open)
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("seckill.mysql.user lacks rights");
  }

  private static void open() {
    new OrderDatabase(url(), USER, PASSWORD, 1, "classpath:sql/team", Duration.ofSeconds(10))
        .open()
        .close();
  }
}
