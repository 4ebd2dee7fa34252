package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.domain.DeadLetter;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.QueuedOrder;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.kafka.ReceivedRecord;
import io.seckill.redis.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrderWriterTest {
  private final OrderJson json = new OrderJson();
  private final OrderWriter writer =
      new OrderWriter(json, Clock.fixed(Instant.ofEpochMilli(5), ZoneOffset.UTC));

  @Test
  void shouldTellOrdersFromRecordsThatAreNone() {
    OrderRecord order = order(7, 1, "k", 1);
    Intake intake =
        writer.read(
            List.of(
                received(0, "rubbish".getBytes(StandardCharsets.UTF_8)),
                received(1, json.write(order)),
                received(2, new byte[0])));

    assertThat(intake.orders().requestIds()).containsExactly(order.requestId());
    assertThat(intake.unreadable()).hasSize(2);
    DeadLetter letter = intake.unreadable().get(0);
    assertThat(letter.source()).isEqualTo("orders-3@0");
    assertThat(letter.value()).asString(StandardCharsets.UTF_8).isEqualTo("rubbish");
    assertThat(letter.requestId()).isNull();
  }

  @Test
  void shouldHoldEachReservationOnceSortedByRequestId() {
    OrderBatch batch = batch(order(7, 3, "k", 1), order(7, 1, "k", 1), order(7, 3, "k", 2));

    assertThat(List.copyOf(batch.requestIds())).isSorted().hasSize(2);
    assertThat(batch.find(order(7, 3, "k", 1).requestId()).order().epoch()).isEqualTo(2);
    assertThat(batch.productIds()).containsExactly(7L);
  }

  @Test
  void shouldHalveABatchWithoutLosingAnOrder() {
    OrderBatch batch = batch(order(7, 1, "k", 1), order(7, 2, "k", 1), order(7, 3, "k", 1));

    List<OrderBatch> halves = batch.halves();

    assertThat(halves).extracting(OrderBatch::size).containsExactly(1, 2);
    List<String> ids = new ArrayList<>(halves.get(0).requestIds());
    ids.addAll(halves.get(1).requestIds());
    assertThat(ids).containsExactlyElementsOf(batch.requestIds());
    assertThat(halves.get(0).redelivered().redeliveries()).isEqualTo(1);
  }

  @Test
  void shouldInsertOrdersOfThePresentEpochAndTombstonesForOthers() {
    OrderBatch batch = batch(order(7, 1, "k", 2), order(7, 2, "k", 1), order(8, 3, "k", 1));

    List<NewOrderRow> rows = writer.rows(List.of(new ProductEpoch(7, 2)), batch);

    assertThat(rows)
        .extracting(row -> row.userId() + " " + row.status())
        .containsExactly("1 SUCCESS", "2 FAIL_SYSTEM", "3 FAIL_SYSTEM");
    assertThat(rows.get(0).idemKey()).isEqualTo("7:1:k");
    assertThat(rows.get(0).reason()).isNull();
    assertThat(rows.get(0).createdAt()).isEqualTo(5);
  }

  @Test
  void shouldNumberNewRowsByTheIdsOfTheFirstAndTheLast() {
    OrderBatch batch = batch(order(7, 1, "k", 2), order(7, 2, "k", 2), order(8, 3, "k", 1));
    List<NewOrderRow> rows =
        writer.rows(List.of(new ProductEpoch(7, 2), new ProductEpoch(8, 1)), batch);

    assertThat(batch.ends()).containsExactly(rows.get(0).requestId(), rows.get(2).requestId());
    List<OrderRow> numbered =
        writer.number(List.of(new OrderEnd(40), new OrderEnd(42)), rows, "an attempt");

    assertThat(numbered).extracting(OrderRow::id).containsExactly(40L, 41L, 42L);
    assertThat(numbered)
        .extracting(OrderRow::requestId)
        .containsExactlyElementsOf(batch.requestIds());
    assertThat(numbered).extracting(OrderRow::attempt).containsOnly("an attempt");
    assertThat(writer.judge(numbered, batch).missing()).isEmpty();

    OrderBatch one = batch(order(7, 1, "k", 2));
    rows = writer.rows(List.of(new ProductEpoch(7, 2)), one);
    assertThat(one.ends()).containsExactlyElementsOf(one.requestIds());
    assertThat(writer.number(List.of(new OrderEnd(40)), rows, "an attempt"))
        .extracting(OrderRow::id)
        .containsExactly(40L);
  }

  @Test
  void shouldReadRowsBackWhereAnotherWriterTookAnIdBetween() {
    List<NewOrderRow> rows =
        writer.rows(
            List.of(new ProductEpoch(7, 2)),
            batch(order(7, 1, "k", 2), order(7, 2, "k", 2), order(7, 3, "k", 2)));

    assertThat(writer.number(List.of(new OrderEnd(40), new OrderEnd(43)), rows, "a")).isEmpty();
  }

  @Test
  void shouldReadRowsBackWhereATombstoneIsAmongThem() {
    List<NewOrderRow> rows =
        writer.rows(
            List.of(new ProductEpoch(7, 2)),
            batch(order(7, 1, "k", 2), order(7, 2, "k", 1), order(7, 3, "k", 2)));

    assertThat(writer.number(List.of(new OrderEnd(40), new OrderEnd(42)), rows, "a")).isEmpty();
  }

  @Test
  void shouldConfirmReleaseWriteOffOrFindMissing() {
    OrderBatch batch =
        batch(
            order(7, 1, "k", 1),
            order(7, 2, "k", 1),
            order(7, 3, "k", 1),
            order(8, 4, "k", 1),
            order(8, 5, "k", 1));

    Outcomes outcomes =
        writer.judge(
            List.of(
                found(7, 1, Status.SUCCESS, null),
                found(7, 2, Status.FAIL_SYSTEM, "late"),
                found(7, 3, Status.FAIL_SOLD_OUT, "no unit"),
                found(8, 4, Status.SUCCESS, null)),
            batch);

    assertThat(outcomes.confirmations()).extracting(ScriptCall::productId).containsExactly(7L, 8L);
    assertThat(outcomes.confirmations().get(0).arguments())
        .containsExactly(RequestId.of(7, 1, "k").toString(), "101", "2");
    assertThat(outcomes.releases()).hasSize(1);
    assertThat(outcomes.releases().get(0).arguments())
        .containsExactly("FAIL_SYSTEM", "late", RequestId.of(7, 2, "k").toString(), "k", "2");
    assertThat(outcomes.writeOffs()).hasSize(1);
    assertThat(outcomes.missing()).extracting(q -> q.order().userId()).containsExactly(5L);
    assertThat(outcomes.orders()).extracting(WrittenOrder::orderId).containsExactly(101L, 104L);
    assertThat(writer.duplicates(outcomes))
        .extracting(row -> row.userId() + " " + row.status())
        .containsExactly("5 FAIL_DUPLICATE");
  }

  @Test
  void shouldNotAcceptThatARowIsMissingAfterTheTombstones() {
    assertThatThrownBy(() -> writer.judgeAll(List.of(), batch(order(7, 1, "k", 1))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldGiveAScriptAtMostFiveHundredReservations() {
    List<OrderRecord> orders = new ArrayList<>();
    List<OrderRow> rows = new ArrayList<>();
    for (int user = 1; user <= 1_001; user++) {
      orders.add(order(7, user, "k", 1));
      rows.add(found(7, user, user % 2 == 0 ? Status.SUCCESS : Status.FAIL_SYSTEM, null));
    }
    Outcomes outcomes = writer.judge(rows, batch(orders.toArray(OrderRecord[]::new)));

    assertThat(outcomes.confirmations())
        .extracting(call -> call.arguments().length)
        .containsExactly(1_500);
    assertThat(outcomes.releases())
        .extracting(call -> call.arguments().length)
        .containsExactly(1_502, 5);
  }

  private static OrderBatch batch(OrderRecord... orders) {
    List<QueuedOrder> queued = new ArrayList<>();
    for (OrderRecord order : orders) {
      queued.add(new QueuedOrder(order, new byte[] {1}, "test"));
    }
    return OrderBatch.of(queued);
  }

  private static OrderRecord order(long product, long user, String key, long epoch) {
    return new OrderRecord(
        1, RequestId.of(product, user, key).toString(), product, user, 2, key, epoch, "1-1", 0);
  }

  private static OrderRow found(long product, long user, Status status, String reason) {
    String requestId = RequestId.of(product, user, "k").toString();
    String key = product + ":" + user + ":k";
    return new OrderRow(100 + user, requestId, product, user, 2, key, status, reason, "a", "1-1");
  }

  private static ReceivedRecord received(long offset, byte[] value) {
    return new ReceivedRecord("orders", 3, offset, 0, value, Map.of());
  }
}
