package io.seckill.order;

import static io.seckill.order.OrderFlow.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.Book;
import io.seckill.book.BookKeys;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.Status;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Map;
import org.apache.camel.api.management.ManagedCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SweeperIT {
  private static final TestServers SERVERS = TestServers.get();

  private static TestApplication application;

  private final OrderFlow flow = OrderFlow.sale(application, 10);

  @BeforeAll
  static void start() {
    application =
        TestApplication.start(
            Map.of("seckill.sweeper.period", "200", "seckill.sweeper.pending-limit", "100"));
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void shouldConfirmAnOrderWhoseConfirmationWasLost() {
    OrderRecord order = flow.reserveSilently(1, "k");
    insertRow(order, Status.SUCCESS);

    flow.awaitStatus(order, Status.SUCCESS);

    flow.awaitRest();
  }

  @Test
  void shouldReturnTheUnitOfATombstoneWhoseReleaseWasLost() {
    OrderRecord order = flow.reserveSilently(1, "k");
    insertRow(order, Status.FAIL_SYSTEM);

    flow.awaitStatus(order, Status.FAIL_SYSTEM);

    assertThat(flow.book()).extracting(Book::available, Book::pending).containsExactly(10L, 0L);
  }

  @Test
  void shouldSendALostRecordAgain() {
    OrderRecord order = flow.reserveSilently(1, "k");

    flow.awaitStatus(order, Status.SUCCESS);

    assertThat(flow.row(order)).containsEntry("status", "SUCCESS");
    flow.awaitRest();
  }

  @Test
  void shouldCompensateWhatWasSentOftenEnough() {
    OrderRecord order = flow.reserveSilently(1, "k");
    var redis = SERVERS.redisCommands();
    String entry = redis.hget(BookKeys.users(flow.product), "1");
    redis.hset(BookKeys.users(flow.product), "1", entry + "|3");

    flow.awaitStatus(order, Status.FAIL_SYSTEM);

    assertThat(flow.row(order)).containsEntry("status", "FAIL_SYSTEM");
    assertThat(flow.deadLetter(order)).containsEntry("source", "sweeper");
    flow.awaitRest();
    assertThat(flow.book().available()).isEqualTo(10);
  }

  @Test
  void shouldLeaveAloneWhatTheWritersHaveNotReached() throws Exception {
    try (Connection gatekeeper = SERVERS.connection()) {
      gatekeeper.setAutoCommit(false);
      try (PreparedStatement select =
          gatekeeper.prepareStatement("SELECT id FROM products WHERE id = ? FOR UPDATE")) {
        select.setLong(1, flow.product);
        select.executeQuery();
      }
      OrderRecord order = flow.reserveSilently(1, "k");
      flow.send(order);
      long sweeps = sweeps();
      await().until(() -> sweeps() > sweeps + 5);

      assertThat(flow.book().outboxLength()).isZero();
      assertThat(SERVERS.redisCommands().hget(BookKeys.users(flow.product), "1"))
          .endsWith("|PENDING|" + outboxId() + "||");
      gatekeeper.rollback();
      flow.awaitStatus(order, Status.SUCCESS);
    }
  }

  private String outboxId() {
    return SERVERS.redisCommands().hget(BookKeys.users(flow.product), "1").split("\\|")[4];
  }

  private long sweeps() {
    return application
        .camelContext()
        .getCamelContextExtension()
        .getContextPlugin(ManagedCamelContext.class)
        .getManagedRoute("sweeper")
        .getExchangesCompleted();
  }

  private void insertRow(OrderRecord order, Status status) {
    SERVERS.update(
        "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
            + " attempt, epoch, outbox_id, created_at) VALUES (?, ?, ?, 1, ?, ?, 'test', 1, '1-1',"
            + " 0)",
        order.requestId(),
        order.productId(),
        order.userId(),
        order.scopedIdemKey(),
        status.name());
  }
}
