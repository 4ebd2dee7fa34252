package io.seckill.order;

import static io.seckill.order.OrderFlow.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.book.Book;
import io.seckill.deadletter.ArrivedDeadLetter;
import io.seckill.deadletter.DeadLetterRefusedException;
import io.seckill.deadletter.DeadLetterRefusedException.Code;
import io.seckill.domain.DeadLetter;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.Status;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.util.List;
import java.util.Map;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.util.ObjectHelper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dead letters that wait for a person; topics of its own, so that no automatic node takes them. */
class CompensationIT {
  private static final TestServers SERVERS = TestServers.get();

  private static TestApplication application;
  private static ProducerTemplate template;

  private final OrderFlow flow = OrderFlow.sale(application, 10);
  private final OrderJson json = new OrderJson();

  @BeforeAll
  static void start() {
    application =
        TestApplication.start(
            Map.of(
                "seckill.orders.topic", "manual.orders",
                "seckill.writer.group", "manual-writer",
                "seckill.dead-letters.topic", "manual.orders.dlq",
                "seckill.dead-letters.group", "manual-dead-letters",
                "seckill.compensation", "manual",
                "seckill.compensation.period", "200",
                "seckill.sweeper.period", "200",
                "seckill.sweeper.pending-limit", "100"));
    template = application.camelContext().createProducerTemplate();
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @AfterEach
  void acceptAll() {
    long constraints =
        SERVERS.number(
            "SELECT COUNT(*) FROM information_schema.table_constraints"
                + " WHERE constraint_schema = DATABASE() AND constraint_name = 't_manual'");
    if (constraints > 0) {
      SERVERS.update("ALTER TABLE seckill_orders DROP CONSTRAINT t_manual");
    }
  }

  @Test
  void shouldParkADeadLetterAndLetNobodyTouchItsReservation() {
    OrderRecord parked = park(1);

    // the sweeper passes: it ends another lost reservation of this sale, and not this one
    OrderRecord lost = flow.reserveSilently(2, "k");
    flow.awaitStatus(lost, Status.SUCCESS);

    assertThat(flow.status(parked)).contains(Status.PENDING);
    assertThat(flow.deadLetter(parked)).containsEntry("state", "PARKED");
    assertThat(flow.row(parked)).isNull();
  }

  @Test
  void shouldMakeAnOrderOfAReplayedDeadLetter() {
    OrderRecord order = park(1);
    acceptAll();

    replay(order);
    flow.awaitStatus(order, Status.SUCCESS);

    assertThat(flow.deadLetter(order)).containsEntry("state", "REPLAYED");
    flow.awaitRest();
  }

  @Test
  void shouldReturnTheUnitOfACompensatedDeadLetterOnce() {
    OrderRecord order = park(1);

    compensate(order);
    assertThat(flow.status(order)).contains(Status.FAIL_SYSTEM);
    assertThat(flow.deadLetter(order)).containsEntry("state", "COMPENSATED");
    Object row = flow.row(order).get("id");
    compensate(order);

    assertThat(flow.row(order)).containsEntry("id", row).containsEntry("status", "FAIL_SYSTEM");
    assertThat(flow.book())
        .extracting(Book::available, Book::pending, Book::released)
        .containsExactly(10L, 0L, 1L);
  }

  @Test
  void shouldRefuseToReplayWhatWasCompensated() {
    OrderRecord order = park(1);
    compensate(order);

    assertThatThrownBy(() -> replay(order))
        .satisfies(failure -> assertThat(code(failure)).isEqualTo(Code.ALREADY_COMPENSATED));
    assertThatThrownBy(() -> template.requestBody("direct:replay-dead-letter", -1L))
        .satisfies(failure -> assertThat(code(failure)).isEqualTo(Code.UNKNOWN_DEAD_LETTER));
  }

  @Test
  void shouldLetALateMessageChangeNothingAfterTheCompensation() {
    OrderRecord order = park(1);
    acceptAll();
    compensate(order);

    flow.send(order);
    OrderRecord behind = flow.reserveSilently(2, "k");
    flow.send(order.recordKey(), behind);
    flow.awaitStatus(behind, Status.SUCCESS);

    assertThat(flow.row(order)).containsEntry("status", "FAIL_SYSTEM");
    assertThat(flow.status(order)).contains(Status.FAIL_SYSTEM);
    flow.awaitRest();
    assertThat(flow.book().available()).isEqualTo(9);
  }

  @Test
  void shouldConfirmWhenTheOrderWasWrittenBeforeTheCompensation() {
    OrderRecord order = park(1);
    acceptAll();
    flow.send(order);
    flow.awaitStatus(order, Status.SUCCESS);

    compensate(order);
    compensate(order);

    assertThat(flow.row(order)).containsEntry("status", "SUCCESS");
    assertThat(flow.status(order)).contains(Status.SUCCESS);
    assertThat(flow.deadLetter(order)).containsEntry("state", "CONFIRMED");
    flow.awaitRest();
    assertThat(flow.book()).extracting(Book::sold, Book::released).containsExactly(1L, 0L);
  }

  @Test
  void shouldLetABuyerBuyAgainUnderAnotherKeyAfterTheCompensation() {
    OrderRecord failed = park(1);
    acceptAll();
    compensate(failed);

    OrderRecord again = flow.reserveSilently(1, "another");
    flow.send(again);
    flow.awaitStatus(again, Status.SUCCESS);

    assertThat(flow.status(failed)).contains(Status.FAIL_SYSTEM);
  }

  @Test
  void shouldCompensateWhatIsParkedForTooLong() {
    OrderRecord order = park(1);

    SERVERS.update(
        "UPDATE dead_letters SET parked_until = 1 WHERE request_id = ?", order.requestId());
    flow.awaitStatus(order, Status.FAIL_SYSTEM);

    await().until(() -> "COMPENSATED".equals(flow.deadLetter(order).get("state")));
  }

  @Test
  void shouldKeepADeadLetterOnceHoweverOftenItIsConsumed() {
    OrderRecord order = flow.reserveSilently(1, "k");
    ArrivedDeadLetter letter =
        new ArrivedDeadLetter(
            "test-" + order.requestId(),
            new DeadLetter(order.requestId(), json.write(order), "test", "a test", 1),
            order);

    template.requestBody("direct:keep-dead-letters", List.of(letter, letter));
    template.requestBody("direct:keep-dead-letters", List.of(letter));

    assertThat(
            SERVERS.number(
                "SELECT COUNT(*) FROM dead_letters WHERE request_id = ?", order.requestId()))
        .isEqualTo(1);
  }

  @Test
  void shouldTryAgainLaterWhatCannotBeCompensated() {
    OrderRecord order = park(1);
    OrderRecord behind = park(2);
    accept("product_id <> " + flow.product);
    SERVERS.update(
        "UPDATE dead_letters SET parked_until = 1 WHERE request_id IN (?, ?)",
        order.requestId(),
        behind.requestId());
    await().until(() -> (Long) flow.deadLetter(behind).get("parked_until") > 1);
    assertThat(flow.deadLetter(order)).containsEntry("state", "PARKED");
    assertThat((Long) flow.deadLetter(order).get("parked_until")).isGreaterThan(1);

    acceptAll();
    compensate(order);
    assertThat(flow.status(order)).contains(Status.FAIL_SYSTEM);
  }

  /** A reservation whose order MySQL refuses: its dead letter is parked. */
  private OrderRecord park(long user) {
    accept(
        "product_id <> "
            + flow.product
            + " OR user_id <> "
            + user
            + " OR idem_key NOT LIKE '%:k' OR status <> 'SUCCESS'");
    OrderRecord order = flow.reserveSilently(user, "k");
    flow.send(order);
    await().until(() -> flow.deadLetter(order) != null);
    return order;
  }

  /** From now on MySQL refuses other rows. */
  private void accept(String condition) {
    acceptAll();
    SERVERS.update("ALTER TABLE seckill_orders ADD CONSTRAINT t_manual CHECK (" + condition + ")");
  }

  private void compensate(OrderRecord order) {
    template.requestBody("direct:compensate-dead-letter", flow.deadLetter(order).get("id"));
  }

  private void replay(OrderRecord order) {
    template.requestBody("direct:replay-dead-letter", flow.deadLetter(order).get("id"));
  }

  private static Code code(Throwable failure) {
    return ObjectHelper.getException(DeadLetterRefusedException.class, failure).code();
  }
}
