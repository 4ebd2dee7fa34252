package io.seckill.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.StartRefusedException;
import io.seckill.domain.RequestId;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** What minimal mode does where MySQL is slow, and what it loses where the process dies. */
class MinimalModeIT {
  private static final Path DIRECTORY = Path.of("target", "minimal-mode-it");
  private static final int QUEUE = 5;

  private final long product = Products.next();

  @Test
  void shouldRefuseWhatTheQueueCannotHold() throws Exception {
    Map<String, String> properties = new HashMap<>(Mode.MINIMAL.properties);
    properties.put("seckill.minimal.queue", Integer.toString(QUEUE));
    try (TestApplication application = TestApplication.apart("minimalfull", 5, properties)) {
      Shop shop = application.awaitReady().shop();
      assertThat(shop.createSale(product, 100).status()).isEqualTo(201);
      List<String> accepted = new ArrayList<>();
      try (Connection connection = connection(url(application))) {
        hold(connection);
        for (int user = 1; user <= QUEUE; user++) {
          Reply reply = shop.buy(product, user, "k");
          assertThat(reply.status()).isEqualTo(202);
          accepted.add(reply.requestId());
        }

        Reply refused = shop.buy(product, QUEUE + 1, "k");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.code()).isEqualTo("DEGRADED");
        assertThat(refused.header("Retry-After")).contains("1");
        assertThat(refused.member("idemKey")).isEqualTo("k");
        assertThat(shop.buy(product, 1, "k").status()).as("a replay").isEqualTo(202);
        assertThat(shop.resultOf(1, accepted.get(0)).member("status")).isEqualTo("PENDING");
        assertThat(shop.ledger(product).path("pending").asInt()).isEqualTo(QUEUE);
        connection.rollback();
      }
      for (int user = 1; user <= QUEUE; user++) {
        assertThat(shop.awaitEnd(user, accepted.get(user - 1))).isEqualTo("SUCCESS");
      }
      assertThat(shop.awaitEnd(QUEUE + 1, shop.buy(product, QUEUE + 1, "k").requestId()))
          .isEqualTo("SUCCESS");
      assertThat(shop.awaitRest(product).path("balanced").asBoolean()).isTrue();
    }
  }

  @Test
  void shouldHoldOrdersWhileMySqlCannotTakeThemAndWriteTheQueueBeforeItStops() throws Exception {
    int buyers = 300;
    String url;
    try (TestApplication application =
        TestApplication.apart("minimalstop", 6, Mode.MINIMAL.properties)) {
      Shop shop = application.awaitReady().shop();
      url = url(application);
      assertThat(shop.createSale(product, 2 * buyers).status()).isEqualTo(201);
      String held;
      try (Connection connection = connection(url);
          Statement statement = connection.createStatement()) {
        statement.execute("RENAME TABLE seckill_orders TO away");
        held = shop.buy(product, buyers + 1, "k").requestId();
        await()
            .atMost(60, TimeUnit.SECONDS)
            .until(() -> application.bean(MeterRegistry.class), MinimalModeIT::hasRetried);
        assertThat(shop.resultOf(buyers + 1, held).member("status")).isEqualTo("PENDING");
        statement.execute("RENAME TABLE away TO seckill_orders");
      }
      assertThat(shop.awaitEnd(buyers + 1, held)).isEqualTo("SUCCESS");

      List<CompletableFuture<Reply>> asked = new ArrayList<>();
      for (int user = 1; user <= buyers; user++) {
        asked.add(shop.buyAsync(product, user, "k", null));
      }
      asked.forEach(reply -> assertThat(reply.join().status()).isEqualTo(202));
    }
    try (Connection connection = connection(url);
        Statement statement = connection.createStatement();
        ResultSet written =
            statement.executeQuery(
                "SELECT COUNT(*) FROM seckill_orders WHERE status = 'SUCCESS' AND product_id = "
                    + product)) {
      assertThat(written.next()).isTrue();
      assertThat(written.getInt(1)).isEqualTo(buyers + 1);
    }
  }

  private static boolean hasRetried(MeterRegistry meters) {
    return meters.get("seckill.writer.retries").counter().count() > 0;
  }

  @Test
  void shouldLoseByACrashOnlyWhatWasInMemory() throws Exception {
    Map<String, String> properties = new HashMap<>(Mode.MINIMAL.properties);
    properties.put("seckill.mysql.url", TestServers.get().urlApart("minimalcrash"));
    try (ApplicationProcess application = ApplicationProcess.external(DIRECTORY, properties)) {
      Shop shop = application.start().awaitReady().shop();
      assertThat(shop.createSale(product, 10).status()).isEqualTo(201);
      String written = shop.buy(product, 1, "k").requestId();
      assertThat(shop.awaitEnd(1, written)).isEqualTo("SUCCESS");
      String lost;
      try (Connection connection = connection(properties.get("seckill.mysql.url"))) {
        hold(connection);
        lost = shop.buy(product, 2, "k").requestId();
        assertThat(shop.resultOf(2, lost).member("status")).isEqualTo("PENDING");
        application.kill();
        connection.rollback();
      }

      application.start().awaitReady();

      assertThat(shop.resultOf(1, written).member("status")).isEqualTo("SUCCESS");
      assertThat(shop.resultOf(2, lost).code()).isEqualTo("UNKNOWN_REQUEST");
      Reply again = shop.buy(product, 2, "k");
      assertThat(again.status()).isEqualTo(202);
      assertThat(again.requestId())
          .isEqualTo(lost)
          .isEqualTo(RequestId.of(product, 2, "k").toString());
      assertThat(shop.awaitEnd(2, lost)).isEqualTo("SUCCESS");
      assertThat(shop.buy(product, 1, "k").requestId()).isEqualTo(written);
      assertThat(shop.awaitEnd(1, written)).isEqualTo("SUCCESS");
      assertThat(shop.awaitRest(product).path("sold").asInt()).isEqualTo(2);
    }
  }

  /** Each accepted attempt is a row for ever, so a buyer must not be able to make many. */
  @Test
  void shouldWriteNoRowsForThoseWhoComeTooLateOrTwice() throws Exception {
    try (TestApplication application =
        TestApplication.apart("minimallate", 13, Mode.MINIMAL.properties)) {
      Shop shop = application.awaitReady().shop();
      assertThat(shop.createSale(product, 1).status()).isEqualTo(201);
      Reply bought = shop.buy(product, 1, "mine");
      assertThat(shop.awaitEnd(1, bought.requestId())).isEqualTo("SUCCESS");
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> "FAIL_SOLD_OUT".equals(shop.buy(product, 2).code()));
      long rows = rows(application);

      for (int attempt = 0; attempt < 40; attempt++) {
        Reply late = shop.buy(product, 3 + attempt % 2);
        assertThat(late.code()).isEqualTo("FAIL_SOLD_OUT");
        assertThat(late.json().path("available").asLong(-1)).isZero();
        Reply twice = shop.buy(product, 1);
        assertThat(twice.code()).isEqualTo("FAIL_DUPLICATE");
        assertThat(twice.requestId()).isEqualTo(bought.requestId());
        assertThat(twice.member("idemKey")).isEqualTo("mine");
      }
      assertThat(shop.awaitRest(product).path("outbox").asLong()).isZero();
      assertThat(rows(application)).isEqualTo(rows);

      String restock = "/admin/sales/" + product + "/restock";
      assertThat(shop.admin("POST", restock, Map.of("units", 1), "r").status()).isEqualTo(200);
      Reply again = shop.buy(product, 3);
      assertThat(again.status()).as(again.text()).isEqualTo(202);
      assertThat(shop.awaitEnd(3, again.requestId())).isEqualTo("SUCCESS");
    }
  }

  private long rows(TestApplication application) {
    return new JdbcTemplate(application.bean(DataSource.class))
        .queryForObject(
            "SELECT COUNT(*) FROM seckill_orders WHERE product_id = ?", Long.class, product);
  }

  @Test
  void shouldNotStartWithAStrategyThatLeavesMySqlsStockAlone() throws Exception {
    Map<String, String> properties = new HashMap<>(Mode.MINIMAL.properties);
    properties.put("seckill.strategy", "A");
    try (ApplicationProcess application = ApplicationProcess.external(DIRECTORY, properties)) {
      assertThat(application.launch().awaitExit()).isEqualTo(1);
      assertThat(application.output()).contains("In minimal mode each order takes its units");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "seckill.mode, minima, full or minimal",
    "seckill.strategy, b, A or B",
    "seckill.compensation, Manual, auto or manual",
    "seckill.backends, docker, embedded or external"
  })
  void shouldNotStartWithAChoiceThatIsNone(String property, String value, String choices) {
    assertThatThrownBy(() -> TestApplication.start(Map.of(property, value)))
        .hasRootCauseInstanceOf(StartRefusedException.class)
        .hasRootCauseMessage(property + " must be " + choices + ", not '" + value + "'.");
  }

  /** Locks the sale's row: no order of it can be written meanwhile. */
  private void hold(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (var statement =
        connection.prepareStatement("SELECT id FROM products WHERE id = ? FOR UPDATE")) {
      statement.setLong(1, product);
      assertThat(statement.executeQuery().next()).isTrue();
    }
  }

  private static String url(TestApplication application) {
    return ((HikariDataSource) application.bean(DataSource.class)).getJdbcUrl();
  }

  private static Connection connection(String url) throws SQLException {
    Map<String, String> properties = TestServers.get().properties();
    return DriverManager.getConnection(
        url, properties.get("seckill.mysql.user"), properties.get("seckill.mysql.password"));
  }
}
