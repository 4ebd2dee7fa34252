package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.script.NoBook;
import io.seckill.book.script.OverdueReply;
import io.seckill.book.script.OverdueReply.Overdue;
import io.seckill.book.script.OverdueReply.Reservation;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.Progress;
import io.seckill.domain.QueuedOrder;
import io.seckill.domain.RequestId;
import io.seckill.redis.ScriptCall;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweeperTest {
  private static final long PRODUCT = 7;
  private static final List<ProductEpoch> SALES = List.of(new ProductEpoch(PRODUCT, 3));

  private final Topic orders = new Topic();
  private final Topic deadLetters = new Topic();
  private final Sweeper sweeper =
      new Sweeper(
          new OrderJson(),
          Clock.fixed(Instant.ofEpochMilli(100_000), ZoneOffset.UTC),
          Duration.ofSeconds(30),
          2,
          orders,
          deadLetters);

  /** A topic whose consumers do as the test says. */
  private static final class Topic implements Progress {
    private int marks;
    private boolean passed;

    @Override
    public Mark mark() {
      marks++;
      return () -> passed;
    }
  }

  @Test
  void shouldLookAtReservationsOlderThanTheLimit() {
    ScriptCall call = sweeper.calls(SALES).get(0);

    assertThat(call.productId()).isEqualTo(PRODUCT);
    assertThat(call.arguments()).containsExactly("70000", "500", "0");
  }

  @Test
  void shouldHandOutWhatIsOverdueAfterBothTopicsHavePassed() {
    assertThat(sweep("1-1")).isEmpty();
    assertThat(sweep("1-1")).isEmpty();
    orders.passed = true;
    assertThat(sweep("1-1")).isEmpty();
    assertThat(deadLetters.marks).isEqualTo(1);
    deadLetters.passed = true;

    OrderBatch lost = sweeper.lost(List.of(reply("1-1")), SALES);

    assertThat(lost.requestIds()).containsExactly(RequestId.of(PRODUCT, 1, "k").toString());
    OrderRecord order = lost.orders().iterator().next().order();
    assertThat(order.epoch()).isEqualTo(3);
    assertThat(order.outboxId()).isEqualTo("1-1");
    assertThat(orders.marks).isEqualTo(1);
  }

  @Test
  void shouldNotMarkTheDeadLettersBeforeTheOrdersHavePassed() {
    sweep("1-1");
    sweep("1-1");

    assertThat(deadLetters.marks).isZero();
  }

  @Test
  void shouldLetGoOfWhatEndedOrWasSentAgainMeanwhile() {
    sweep("1-1");
    orders.passed = true;
    deadLetters.passed = true;

    assertThat(sweep("2-1")).isEmpty();
    // the new outbox id is a new round
    assertThat(sweep("2-1")).isEmpty();
    assertThat(sweep("2-1")).hasSize(1);
  }

  @Test
  void shouldPassOverASaleWithoutABook() {
    assertThat(sweeper.lost(List.of(NoBook.INSTANCE), SALES).isEmpty()).isTrue();
    assertThat(orders.marks).isZero();
  }

  @Test
  void shouldLookBehindWhatMustWaitAndThenStartOver() {
    orders.passed = true;
    deadLetters.passed = true;
    sweep("1-1");
    sweep("1-1");
    assertThat(sweeper.calls(SALES).get(0).arguments()).endsWith("500");

    sweeper.lost(List.of(new Overdue(List.of())), SALES);
    assertThat(sweeper.calls(SALES).get(0).arguments()).endsWith("0");
  }

  @Test
  void shouldResendGiveUpOrLeaveToAPerson() {
    List<QueuedOrder> missing = new ArrayList<>();
    for (int user = 1; user <= 3; user++) {
      int resent = user == 2 ? 2 : 0;
      missing.add(new QueuedOrder(order(user, resent), new byte[] {1}, "sweeper"));
    }
    String parked = missing.get(2).requestId();

    Sweeper.Verdict verdict = sweeper.judge(List.of(parked), new Outcomes(List.of(), missing));

    assertThat(verdict.resends()).hasSize(1);
    assertThat(verdict.resends().get(0).arguments()).containsExactly(missing.get(0).requestId());
    assertThat(verdict.givenUp()).hasSize(1);
    assertThat(verdict.givenUp().get(0).requestId()).isEqualTo(missing.get(1).requestId());
    assertThat(verdict.givenUp().get(0).attempts()).isEqualTo(3);
  }

  private List<String> sweep(String outboxId) {
    return List.copyOf(sweeper.lost(List.of(reply(outboxId)), SALES).requestIds());
  }

  private static OverdueReply reply(String outboxId) {
    String requestId = RequestId.of(PRODUCT, 1, "k").toString();
    return new Overdue(List.of(new Reservation(requestId, 1, "k", 1, outboxId, 0)));
  }

  private static OrderRecord order(long user, int resent) {
    return new OrderRecord(
        1, RequestId.of(PRODUCT, user, "k").toString(), PRODUCT, user, 1, "k", 3, "1-1", resent);
  }
}
