package io.seckill.order;

import static io.seckill.order.OrderFlow.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.domain.OrderRecord;
import io.seckill.domain.Status;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.util.Map;
import org.apache.camel.builder.AdviceWith;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A team writes detail rows of its own with the orders, at the place the route names for it. */
class WriterExtensionIT {
  private static final TestServers SERVERS = TestServers.get();

  private static TestApplication application;

  private final OrderFlow flow = OrderFlow.sale(application, 10);

  @BeforeAll
  static void start() throws Exception {
    SERVERS.update(
        "CREATE TABLE IF NOT EXISTS t_details (request_id VARCHAR(96) PRIMARY KEY, order_id BIGINT,"
            + " user_id BIGINT, CONSTRAINT c_details CHECK (user_id <> 13))");
    application =
        TestApplication.start(
            Map.of(
                "seckill.orders.topic", "extension.orders",
                "seckill.writer.group", "extension-writer",
                "seckill.dead-letters.topic", "extension.orders.dlq",
                "seckill.dead-letters.group", "extension-dead-letters"));
    AdviceWith.adviceWith(
        application.camelContext(),
        "order-writer-transaction",
        route ->
            route
                .weaveById("keep-outcomes")
                .after()
                .setBody()
                .simple("${variable.outcomes.orders}")
                .to(
                    "sql:INSERT INTO t_details VALUES (:#requestId, :#orderId, :#userId)"
                        + " ON DUPLICATE KEY UPDATE order_id = order_id?batch=true"));
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void shouldWriteTheTeamsRowsWithTheOrders() {
    OrderRecord order = flow.reserveSilently(1, "k");
    flow.send(order);
    flow.send(order);
    flow.awaitStatus(order, Status.SUCCESS);

    assertThat(detailOf(order)).isEqualTo(flow.row(order).get("id"));
  }

  @Test
  void shouldWriteNoOrderWhoseDetailsAreRefused() {
    OrderRecord refused = flow.reserveSilently(13, "k");
    OrderRecord good = flow.reserveSilently(14, "k");
    flow.send(refused.recordKey(), refused);
    flow.send(refused.recordKey(), good);

    flow.awaitStatus(refused, Status.FAIL_SYSTEM);
    flow.awaitStatus(good, Status.SUCCESS);

    await().until(() -> "COMPENSATED".equals(flow.deadLetter(refused).get("state")));
    assertThat((String) flow.deadLetter(refused).get("cause")).contains("c_details");
    assertThat(flow.row(refused)).containsEntry("status", "FAIL_SYSTEM");
    assertThat(detailOf(good)).isEqualTo(flow.row(good).get("id"));
    assertThat(
            SERVERS.number(
                "SELECT COUNT(*) FROM t_details WHERE request_id = ?", refused.requestId()))
        .isZero();
  }

  private static long detailOf(OrderRecord order) {
    return SERVERS.number("SELECT order_id FROM t_details WHERE request_id = ?", order.requestId());
  }
}
