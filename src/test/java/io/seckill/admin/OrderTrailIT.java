package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that succeed, wait and fail, in a database that refuses the rows of one user. */
class OrderTrailIT {
  private static final int REDIS_DATABASE = 11;
  private static final long REFUSED = 666;
  private static final TestServers SERVERS = TestServers.get();

  private static TestApplication application;

  private final Shop shop = application.shop();
  private final long product = Products.next();

  @BeforeAll
  static void start() throws SQLException {
    Map<String, String> properties =
        new LinkedHashMap<>(TestApplication.apart("ordertrail", REDIS_DATABASE));
    properties.put("seckill.compensation", "manual");
    application = TestApplication.start(properties).awaitReady();
    try (Connection connection = connection();
        PreparedStatement alter =
            connection.prepareStatement(
                "ALTER TABLE seckill_orders ADD CONSTRAINT t_trail CHECK (user_id <> 666 OR status <> 'SUCCESS')")) {
      alter.execute();
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    try (Connection connection = connection();
        PreparedStatement alter =
            connection.prepareStatement("ALTER TABLE seckill_orders DROP CONSTRAINT t_trail")) {
      alter.execute();
    }
    application.close();
  }

  private static Connection connection() throws SQLException {
    Connection connection = SERVERS.connection();
    connection.setCatalog(connection.getCatalog() + "_ordertrail");
    return connection;
  }

  private JsonNode order(String query) {
    Reply reply = shop.admin("GET", "/admin/orders?" + query, null);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.json().path("orders")).hasSize(1);
    return reply.json().path("orders").get(0);
  }

  private static List<String> steps(JsonNode order) {
    List<String> steps = new ArrayList<>();
    order.path("steps").forEach(step -> steps.add(step.path("step").asText()));
    return steps;
  }

  private static JsonNode step(JsonNode order, String name) {
    for (JsonNode step : order.path("steps")) {
      if (step.path("step").asText().equals(name)) {
        return step;
      }
    }
    throw new AssertionError("No " + name + " in " + order);
  }

  @Test
  void shouldTraceAnOrderThatSucceeded() {
    shop.openSale(product, 5);
    String requestId = shop.buy(product, 7, "mine").requestId();
    shop.awaitEnd(7, requestId);

    JsonNode order = order("requestId=" + requestId);
    assertThat(order.path("status").asText()).isEqualTo("SUCCESS");
    assertThat(order.path("idemKey").asText()).isEqualTo("mine");
    assertThat(order.path("quantity").asInt()).isEqualTo(1);
    assertThat(order.path("userId").asLong()).isEqualTo(7);
    assertThat(order.path("productId").asLong()).isEqualTo(product);
    assertThat(steps(order)).containsExactly("RESERVED", "RELAYED", "WRITTEN", "CONFIRMED");
    long reserved = step(order, "RESERVED").path("at").asLong();
    assertThat(reserved).isPositive();
    assertThat(step(order, "WRITTEN").path("at").asLong()).isPositive();
    long orderId = order.path("orderId").asLong();
    assertThat(step(order, "WRITTEN").path("detail").path("orderId").asLong()).isEqualTo(orderId);

    assertThat(order("orderId=" + orderId)).isEqualTo(order);
    assertThat(order("userId=7&productId=" + product)).isEqualTo(order);
  }

  @Test
  void shouldTraceAnOrderThatWaitsForMySql() throws SQLException {
    shop.openSale(product, 5);
    String requestId;
    try (Connection writer = connection()) {
      writer.setAutoCommit(false);
      try (PreparedStatement lock =
          writer.prepareStatement("SELECT id FROM products WHERE id = ? FOR UPDATE")) {
        lock.setLong(1, product);
        lock.executeQuery();
      }
      requestId = shop.buy(product, 8, "waits").requestId();
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> steps(order("requestId=" + requestId)).contains("RELAYED"));
      JsonNode order = order("userId=8&productId=" + product);
      assertThat(order.path("status").asText()).isEqualTo("PENDING");
      assertThat(order.path("orderId").isNull()).isTrue();
      assertThat(steps(order)).containsExactly("RESERVED", "RELAYED");
      writer.rollback();
    }
    shop.awaitEnd(8, requestId);
  }

  @Test
  void shouldTraceAnOrderThatMySqlRefusedAndAnOperatorCompensated() {
    shop.openSale(product, 5);
    String requestId = shop.buy(product, REFUSED, "refused").requestId();
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> steps(order("requestId=" + requestId)).contains("DEAD_LETTERED"));
    JsonNode parked = order("requestId=" + requestId);
    assertThat(parked.path("status").asText()).isEqualTo("PENDING");
    assertThat(steps(parked)).containsExactly("RESERVED", "RELAYED", "DEAD_LETTERED", "PARKED");
    JsonNode dead = step(parked, "DEAD_LETTERED");
    assertThat(dead.path("at").asLong()).isPositive();
    assertThat(dead.path("detail").path("cause").asText()).contains("t_trail");
    assertThat(step(parked, "RELAYED").path("detail").path("record").asText())
        .matches("seckill\\.orders\\.ordertrail-\\d+@\\d+");

    long deadLetter = dead.path("detail").path("deadLetterId").asLong();
    Reply compensated =
        shop.admin("POST", "/admin/dead-letters/" + deadLetter + "/compensate", null);
    assertThat(compensated.member("state")).isEqualTo("COMPENSATED");

    JsonNode order = order("requestId=" + requestId);
    assertThat(order.path("status").asText()).isEqualTo("FAIL_SYSTEM");
    assertThat(steps(order))
        .containsExactly("RESERVED", "RELAYED", "DEAD_LETTERED", "COMPENSATED", "RELEASED");
    assertThat(step(order, "COMPENSATED").path("at").asLong())
        .isGreaterThanOrEqualTo(dead.path("at").asLong());
    assertThat(step(order, "COMPENSATED").path("detail").path("by").asText()).isEqualTo("admin");
  }

  @Test
  void shouldNotKnowWhatNobodyOrdered() {
    shop.openSale(product, 5);
    for (String query :
        List.of(
            "orderId=" + Long.MAX_VALUE,
            "userId=9&productId=" + product,
            "requestId=" + product + "-9-aaaaaaaaaaaaaaaa")) {
      Reply reply = shop.admin("GET", "/admin/orders?" + query, null);
      assertThat(reply.status()).as(query).isEqualTo(404);
      assertThat(reply.code()).isEqualTo("UNKNOWN_REQUEST");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "orderId=x",
        "orderId=0",
        "requestId=x",
        "userId=1",
        "userId=1&productId=0",
        "orderId=1&userId=1",
        "orderId=1&orderId=2"
      })
  void shouldRefuseAnyOtherQuestion(String query) {
    assertThat(shop.admin("GET", "/admin/orders?" + query, null).status()).isEqualTo(400);
  }

  @Test
  void shouldReadIndexesAlone() throws SQLException, IOException {
    String sql =
        Files.readString(Path.of("sql", "orders-to-trace.sql"))
            .replaceAll("(?m)^--.*$", "")
            .replace(":#requestId", "'5'")
            .replaceAll(":#\\w+", "5");
    try (Connection connection = connection();
        PreparedStatement explain =
            connection.prepareStatement("EXPLAIN FORMAT=TRADITIONAL " + sql);
        var plan = explain.executeQuery()) {
      int parts = 0;
      while (plan.next()) {
        if (plan.getString("select_type").equals("UNION RESULT")) {
          continue;
        }
        parts++;
        assertThat(plan.getString("type")).as("part " + parts).isNotIn("ALL", "index");
      }
      assertThat(parts).isEqualTo(3);
    }
  }
}
