package io.seckill.order;

import static io.seckill.order.OrderFlow.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.domain.OrderRecord;
import io.seckill.domain.Status;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers go away in the middle of a sale: what was taken before, meanwhile and after all ends. */
class OutagesIT {
  private final TestApplication application = TestApplication.shared();
  private final TestServers servers = TestServers.get();
  private final List<OrderRecord> orders = new ArrayList<>();
  private final OrderFlow flow = OrderFlow.sale(application, 100);

  @AfterEach
  void bringBack() {
    servers.mysql().start();
    servers.redis().start();
    servers.kafka().start();
  }

  @Test
  void shouldHoldOrdersWhileTheDatabaseIsAway() {
    reserve(20);
    servers.mysql().stop();
    reserve(20);
    await().until(() -> flow.book().outboxLength() == 0);
    servers.mysql().start();
    reserve(20);

    shouldAllBecomeOrders();
  }

  @Test
  void shouldConfirmOrdersOnceRedisIsBack() throws Exception {
    try (Connection gatekeeper = servers.connection()) {
      gatekeeper.setAutoCommit(false);
      lockProduct(gatekeeper);
      reserve(20);
      await().until(() -> flow.book().outboxLength() == 0);
      servers.redis().stop();
      gatekeeper.rollback();
    }
    await().until(() -> flow.orders(Status.SUCCESS) > 0);
    servers.redis().start();

    shouldAllBecomeOrders();
  }

  @Test
  void shouldKeepOrdersInTheOutboxWhileKafkaIsAway() {
    reserve(20);
    servers.kafka().stop();
    reserve(20);
    assertThat(flow.book().outboxLength()).isGreaterThanOrEqualTo(20);
    servers.kafka().start();
    reserve(20);

    shouldAllBecomeOrders();
  }

  private void reserve(int buyers) {
    for (int i = 0; i < buyers; i++) {
      orders.add(flow.reserve(orders.size() + 1L, "k", 1));
    }
  }

  private void shouldAllBecomeOrders() {
    OrderFlow.eventually(flow::book);
    flow.awaitRest();
    assertThat(orders).allSatisfy(o -> assertThat(flow.status(o)).contains(Status.SUCCESS));
    assertThat(flow.orders(Status.SUCCESS)).isEqualTo(orders.size());
    assertThat(flow.book().sold()).isEqualTo(orders.size());
    assertThat(orders).allSatisfy(order -> assertThat(flow.deadLetter(order)).isNull());
  }

  private void lockProduct(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id FROM products WHERE id = ? FOR UPDATE")) {
      select.setLong(1, flow.product);
      select.executeQuery();
    }
  }
}
