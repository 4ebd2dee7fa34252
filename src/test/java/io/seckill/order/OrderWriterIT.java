package io.seckill.order;

import static io.seckill.order.OrderFlow.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.book.Book;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.kafka.Barrier;
import io.seckill.kafka.ConsumerProgress;
import io.seckill.testing.LogCapture;
import io.seckill.testing.Products;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OrderWriterIT {
  private static final long REFUSED_USER = 666;

  private final TestApplication application = TestApplication.shared();
  private final TestServers servers = TestServers.get();

  @Test
  void shouldMakeAnOrderOfAReservation() {
    OrderFlow flow = OrderFlow.sale(application, 10);

    OrderRecord order = flow.reserve(1, "k", 2);
    flow.awaitStatus(order, Status.SUCCESS);

    assertThat(flow.row(order))
        .containsEntry("status", "SUCCESS")
        .containsEntry("quantity", 2)
        .containsEntry("idem_key", flow.product + ":1:k")
        .containsEntry("epoch", 1L);
    flow.awaitRest();
    assertThat(flow.book()).extracting(Book::sold, Book::available).containsExactly(2L, 8L);
  }

  @Test
  void shouldWriteManyOrdersAndConfirmEach() {
    OrderFlow flow = OrderFlow.sale(application, 1_200);
    List<OrderRecord> orders = new ArrayList<>();
    for (int user = 1; user <= 1_200; user++) {
      orders.add(flow.reserve(user, "k" + user, 1));
    }
    flow.awaitRest();
    assertThat(flow.book().sold()).isEqualTo(1_200);
    assertThat(orders).allSatisfy(order -> assertThat(flow.status(order)).contains(Status.SUCCESS));
  }

  @Test
  void shouldWriteARecordOnceHoweverOftenItComes() {
    OrderFlow flow = OrderFlow.sale(application, 10);
    OrderRecord order = flow.reserve(1, "k", 1);
    for (int i = 0; i < 5; i++) {
      flow.send(order);
    }
    flow.awaitStatus(order, Status.SUCCESS);
    Object id = flow.row(order).get("id");

    flow.send(order);
    awaitWritten();

    assertThat(flow.row(order)).containsEntry("id", id);
    assertThat(flow.orders(Status.SUCCESS)).isEqualTo(1);
    flow.awaitRest();
    assertThat(flow.book().sold()).isEqualTo(1);
  }

  @Test
  void shouldEndASecondOrderOfABuyerAsDuplicate() {
    OrderFlow flow = OrderFlow.sale(application, 10);
    OrderRecord first = flow.reserve(1, "first", 1);
    flow.awaitStatus(first, Status.SUCCESS);
    OrderRecord second = flow.order(1, "second", 1);

    flow.send(second);
    await().until(() -> flow.row(second) != null);

    assertThat(flow.row(second)).containsEntry("status", "FAIL_DUPLICATE");
    assertThat(flow.row(first)).containsEntry("status", "SUCCESS");
    flow.awaitRest();
    assertThat(flow.book().available()).isEqualTo(9);
  }

  @Test
  void shouldEndOneOfTwoOrdersOfABuyerInABatchAsDuplicate() {
    OrderFlow flow = OrderFlow.sale(application, 10);
    OrderRecord one = flow.order(1, "one", 1);
    OrderRecord other = flow.order(1, "other", 1);

    flow.sendTogether(List.of(one, other));
    await().until(() -> flow.row(one) != null && flow.row(other) != null);

    assertThat(List.of(flow.row(one).get("status"), flow.row(other).get("status")))
        .containsExactlyInAnyOrder("SUCCESS", "FAIL_DUPLICATE");
  }

  @Test
  void shouldReturnTheUnitOfASecondOrderOfABuyer() {
    OrderFlow flow = OrderFlow.sale(application, 10);
    OrderRecord lost = flow.order(1, "lost", 1);
    flow.send(lost);
    await().until(() -> flow.row(lost) != null);

    // the book does not know of the first one: it was lost there
    OrderRecord second = flow.reserve(1, "second", 1);
    flow.awaitStatus(second, Status.FAIL_DUPLICATE);

    assertThat(flow.row(second)).containsEntry("status", "FAIL_DUPLICATE");
    assertThat(flow.book()).extracting(Book::pending, Book::available).containsExactly(0L, 10L);
  }

  @Test
  void shouldTombstoneARecordOfAnOlderEpoch() {
    OrderFlow flow = OrderFlow.sale(application, 10);
    servers.update("UPDATE products SET epoch = 2 WHERE id = ?", flow.product);

    OrderRecord old = flow.reserve(1, "old", 1);
    flow.awaitStatus(old, Status.FAIL_SYSTEM);

    assertThat(flow.row(old)).containsEntry("status", "FAIL_SYSTEM").containsEntry("epoch", 1L);
    flow.awaitRest();
    assertThat(flow.book().available()).isEqualTo(10);
  }

  @Test
  void shouldTombstoneARecordOfAProductMySqlDoesNotKnow() {
    OrderFlow flow = OrderFlow.sale(application, 1);
    long unknown = Products.next();
    OrderRecord stray =
        new OrderRecord(
            1, RequestId.of(unknown, 1, "k").toString(), unknown, 1, 1, "k", 1, "1-1", 0);

    flow.send(stray);
    await().until(() -> flow.row(stray) != null);

    assertThat(flow.row(stray)).containsEntry("status", "FAIL_SYSTEM");
  }

  @Test
  void shouldKeepAnUnreadableRecordAndWriteThoseBesideIt() {
    OrderFlow flow = OrderFlow.sale(application, 10);
    byte[] poison = ("{\"v\":1,\"poison\":\"" + UUID.randomUUID()).getBytes(StandardCharsets.UTF_8);
    List<OrderRecord> good = new ArrayList<>();
    for (int user = 1; user <= 5; user++) {
      good.add(flow.reserve(user, "k", 1));
      flow.send("poison", poison);
    }

    good.forEach(order -> flow.awaitStatus(order, Status.SUCCESS));
    await()
        .until(
            () ->
                servers.number("SELECT COUNT(*) FROM dead_letters WHERE payload = ?", poison) == 5);

    Map<String, Object> kept =
        servers.rows("SELECT * FROM dead_letters WHERE payload = ?", poison).get(0);
    assertThat(kept)
        .containsEntry("state", "UNREADABLE")
        .containsEntry("attempts", 1)
        .containsEntry("request_id", null);
    assertThat((String) kept.get("source")).matches("seckill\\.orders-\\d+@\\d+");
    assertThat((String) kept.get("origin")).matches("seckill\\.orders\\.dlq-\\d+@\\d+/\\d+");
    assertThat((String) kept.get("cause")).startsWith("not the JSON of an order");
  }

  @Test
  void shouldDeadLetterOnlyTheRecordThatMySqlRefuses() {
    OrderFlow flow = OrderFlow.sale(application, 300);
    servers.update(
        "ALTER TABLE seckill_orders ADD CONSTRAINT t_refused CHECK (product_id <> "
            + flow.product
            + " OR user_id <> "
            + REFUSED_USER
            + " OR status <> 'SUCCESS')");
    try (LogCapture logs = LogCapture.begin()) {
      List<OrderRecord> good = new ArrayList<>();
      OrderRecord refused = null;
      for (int user = 1; user <= 200; user++) {
        good.add(flow.reserve(user, "k", 1));
        if (user == 100) {
          refused = flow.reserve(REFUSED_USER, "k", 1);
        }
      }
      flow.awaitStatus(refused, Status.FAIL_SYSTEM);
      flow.awaitRest();

      assertThat(good).allSatisfy(o -> assertThat(flow.status(o)).contains(Status.SUCCESS));
      assertThat(flow.row(refused)).containsEntry("status", "FAIL_SYSTEM");
      assertThat(flow.deadLetter(refused))
          .containsEntry("state", "COMPENSATED")
          .containsEntry("attempts", 3);
      assertThat((String) flow.deadLetter(refused).get("cause")).contains("t_refused");
      assertThat(flow.book().available()).isEqualTo(100);
      assertThat(logs.of("io.seckill.domain.DeadLetter"))
          .extracting(event -> (String) event.getContextData().getValue("requestId"))
          .contains(refused.requestId());
    } finally {
      servers.update("ALTER TABLE seckill_orders DROP CONSTRAINT t_refused");
    }
  }

  @Test
  void shouldCommitNoOffsetBeforeTheDatabaseAndRetryALockWait() throws Exception {
    OrderFlow flow = OrderFlow.sale(application, 10);
    ConsumerProgress progress = application.bean(ConsumerProgress.class);
    double retries = retries();
    OrderRecord order;
    try (Connection blocker = servers.connection()) {
      blocker.setAutoCommit(false);
      lock(blocker, flow.product);
      order = flow.reserve(1, "k", 1);
      await().until(() -> flow.book().outboxLength() == 0);
      Barrier barrier = progress.barrier("seckill.orders", "seckill-writer");

      await().until(() -> retries() > retries);
      assertThat(progress.passed(barrier)).isFalse();
      assertThat(flow.status(order)).contains(Status.PENDING);

      blocker.rollback();
      flow.awaitStatus(order, Status.SUCCESS);
      await().until(() -> progress.passed(barrier));
    }
    assertThat(flow.deadLetter(order)).isNull();
  }

  @Test
  void shouldRetryADeadlock() throws Exception {
    OrderFlow one = OrderFlow.sale(application, 10);
    OrderFlow two = OrderFlow.sale(application, 10);
    OrderRecord first = one.order(1, "k", 1);
    OrderRecord second = two.order(1, "k", 1);
    double retries = retries();
    try (Connection rival = servers.connection()) {
      rival.setAutoCommit(false);
      makeHeavy(rival);
      lock(rival, two.product);
      one.sendTogether(List.of(first, second));

      // in one batch the writer shares product one, then waits for product two
      await().until(() -> waiting() == 1);
      lock(rival, one.product);
      rival.rollback();
    }
    await().until(() -> one.row(first) != null && two.row(second) != null);
    assertThat(one.row(first)).containsEntry("status", "SUCCESS");
    assertThat(two.row(second)).containsEntry("status", "SUCCESS");
    assertThat(retries()).isGreaterThan(retries);
    assertThat(one.deadLetter(first)).isNull();
  }

  /** InnoDB ends the transaction that changed less. */
  private void makeHeavy(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO admin_audit (action, created_at) VALUES ('TEST', 0)")) {
      for (int i = 0; i < 50; i++) {
        insert.executeUpdate();
      }
    }
  }

  private long waiting() {
    return servers.number(
        "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'");
  }

  private void lock(Connection connection, long product) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id FROM products WHERE id = ? FOR UPDATE")) {
      select.setLong(1, product);
      select.executeQuery();
    }
  }

  private double retries() {
    return application.bean(MeterRegistry.class).get("seckill.writer.retries").counter().count();
  }

  private void awaitWritten() {
    ConsumerProgress progress = application.bean(ConsumerProgress.class);
    Barrier barrier = progress.barrier("seckill.orders", "seckill-writer");
    await().until(() -> progress.passed(barrier));
  }
}
