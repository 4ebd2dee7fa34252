package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.book.script.HeldReply;
import io.seckill.book.script.HeldReply.Held;
import io.seckill.book.script.HeldReply.Reservation;
import io.seckill.book.script.NoBook;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.QueuedOrder;
import io.seckill.domain.RequestId;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FenceTest {
  private static final Map<Long, Long> EPOCHS = Map.of(7L, 3L);

  private static OrderRecord order(long product, long user, long epoch) {
    return new OrderRecord(
        1, RequestId.of(product, user, "k").toString(), product, user, 2, "k", epoch, "5-5", 0);
  }

  private static OrderBatch batch(OrderRecord... orders) {
    return OrderBatch.of(
        Stream.of(orders).map(order -> new QueuedOrder(order, new byte[0], "o-0@1")).toList());
  }

  private static OrderRecord passed(HeldReply reply) {
    OrderBatch batch = batch(order(7, 1, 2));
    List<ScriptCall> calls = Fence.questions(EPOCHS, batch);
    return Fence.pass(batch, EPOCHS, calls, List.of(reply)).orders().iterator().next().order();
  }

  private static Held held(long epoch, long fencing) {
    return new Held(epoch, fencing, List.of(new Reservation(order(7, 1, 2).requestId(), 1, "9-9")));
  }

  @Test
  void shouldAskForRecordsOfOlderEpochsOnly() {
    assertThat(Fence.questions(EPOCHS, batch(order(7, 1, 3), order(7, 2, 4), order(8, 3, 1))))
        .isEmpty();
    List<ScriptCall> calls = Fence.questions(EPOCHS, batch(order(7, 1, 3), order(7, 2, 2)));
    assertThat(calls).hasSize(1);
    assertThat(calls.get(0).arguments()).containsExactly(order(7, 2, 2).requestId());
  }

  @Test
  void shouldTakeWhatTheBookHoldsAsTheBookHoldsIt() {
    OrderRecord order = passed(held(3, 0));
    assertThat(order.epoch()).isEqualTo(3);
    assertThat(order.quantity()).isEqualTo(1);
    assertThat(order.outboxId()).isEqualTo("9-9");
  }

  @Test
  void shouldLeaveOfItsEpochWhatNoBookOfThePresentOneHolds() {
    assertThat(passed(new Held(3, 0, List.of())).epoch()).isEqualTo(2);
    assertThat(passed(held(2, 0)).epoch()).as("an older book").isEqualTo(2);
    assertThat(passed(NoBook.INSTANCE).epoch()).as("no book").isEqualTo(2);
  }

  @Test
  void shouldWaitWhileABookIsAdopted() {
    assertThatThrownBy(() -> passed(held(2, 3))).isInstanceOf(StaleEpochException.class);
    assertThatThrownBy(() -> passed(held(2, 4))).isInstanceOf(StaleEpochException.class);
    assertThatThrownBy(() -> passed(held(4, 0)))
        .as("MySQL was asked before")
        .isInstanceOf(StaleEpochException.class);
  }
}
