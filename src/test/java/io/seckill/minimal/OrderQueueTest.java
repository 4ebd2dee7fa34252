package io.seckill.minimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.api.Waiters;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.domain.OrderJson;
import io.seckill.domain.Purchase;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.order.OrderBatch;
import io.seckill.order.OrderRow;
import io.seckill.order.Outcomes;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class OrderQueueTest {
  private final OrderQueue queue = new OrderQueue(2, 100, new OrderJson(), Clock.systemUTC());

  @Test
  void shouldKeepAPurchaseUntilItIsDecided() {
    Purchase purchase = purchase(1, 3);
    assertThat(queue.offer(purchase, 7)).isEmpty();
    assertThat(queue.isWaiting()).isTrue();

    OrderBatch batch = queue.take(10);

    assertThat(queue.isWaiting()).isFalse();
    assertThat(batch.orders()).extracting(order -> order.order().epoch()).containsExactly(7L);
    assertThat(queue.find(purchase).orElseThrow().status()).isEqualTo(Status.PENDING);
    assertThat(queue.units(5)).isEqualTo(3);
    assertThat(queue.units(6)).isZero();

    OrderRow row = row(purchase, Status.SUCCESS, 3);
    assertThat(queue.decide(outcome(row))).containsExactly(row);
    assertThat(queue.decide(outcome(row))).as("once").isEmpty();
    assertThat(queue.find(purchase).orElseThrow())
        .isEqualTo(new OrderQueue.Known(purchase, Status.SUCCESS, 42L, null));
    assertThat(queue.size()).isZero();
  }

  @Test
  void shouldHoldNoMoreThanItsCapacity() {
    queue.offer(purchase(1, 1), 1);
    queue.offer(purchase(2, 1), 1);
    OrderBatch taken = queue.take(1);
    assertThatThrownBy(() -> queue.offer(purchase(3, 1), 1))
        .as("what is being written counts")
        .isInstanceOf(RejectedExecutionException.class);

    queue.forget(taken);

    assertThat(queue.find(RequestId.parse(taken.requestIds().iterator().next()).orElseThrow()))
        .isEmpty();
    assertThat(queue.offer(purchase(3, 1), 1)).isEmpty();
  }

  @Test
  void shouldQueueAKeyOnce() {
    queue.offer(purchase(1, 1), 1);

    assertThat(queue.offer(purchase(1, 2), 1).orElseThrow().purchase().quantity()).isEqualTo(1);

    assertThat(queue.take(10).size()).isEqualTo(1);
    assertThat(queue.offer(purchase(2, 1), 1)).as("there is room").isEmpty();
  }

  @Test
  void shouldRememberTheQuantityThatMySqlHas() {
    Purchase purchase = purchase(1, 2);
    queue.offer(purchase, 1);

    queue.decide(outcome(row(purchase, Status.FAIL_SOLD_OUT, 1)));

    OrderQueue.Known known = queue.find(purchase).orElseThrow();
    assertThat(known.purchase().quantity()).isEqualTo(1);
    assertThat(known.orderId()).isNull();
  }

  @Test
  void shouldHoldOneUndecidedPurchaseOfABuyer() {
    Purchase first = purchase(1, 1);
    Purchase second = purchase(1, 1, "another");
    queue.offer(first, 1);

    assertThat(queue.held(second).orElseThrow().purchase()).isEqualTo(first);
    assertThat(queue.offer(second, 1).orElseThrow().purchase()).isEqualTo(first);
    assertThat(queue.find(second)).isEmpty();
    assertThat(queue.take(10).size()).isEqualTo(1);

    queue.decide(outcome(row(first, Status.FAIL_SOLD_OUT, 1)));

    assertThat(queue.held(second)).isEmpty();
    assertThat(queue.offer(second, 1)).as("he may try again").isEmpty();
  }

  @Test
  void shouldAcceptNothingFromWhoHasBought() {
    Purchase first = purchase(1, 1);
    queue.offer(first, 1);
    queue.take(10);
    queue.decide(outcome(row(first, Status.SUCCESS, 1)));

    assertThat(queue.offer(purchase(1, 1, "another"), 1).orElseThrow().purchase()).isEqualTo(first);
    assertThat(queue.isWaiting()).isFalse();
    assertThat(queue.size()).isZero();
  }

  @Test
  void shouldBoundTheRowsOfABuyerWhoseOrderItDoesNotKnow() {
    int accepted = 0;
    for (int key = 0; key < 50; key++) {
      Purchase purchase = purchase(1, 1, "k" + key);
      if (queue.offer(purchase, 1).isEmpty()) {
        accepted++;
        queue.take(10);
        queue.decide(outcome(row(purchase, Status.FAIL_DUPLICATE, 1)));
      }
    }

    assertThat(accepted).isEqualTo(10);
    assertThat(queue.offer(purchase(2, 1), 1)).as("another buyer").isEmpty();
  }

  /** Whoever begins to wait just after the decision was told must learn of it all the same. */
  @Test
  void shouldTellWaitersWhatWasDecidedBeforeTheyCame() {
    Purchase decided = purchase(1, 1);
    Purchase waiting = purchase(2, 1);
    queue.offer(decided, 1);
    queue.offer(waiting, 1);
    queue.decide(outcome(row(decided, Status.SUCCESS, 1)));
    try (Waiters waiters = new Waiters(1)) {
      assertThat(new QueueEnds(queue, waiters).ended(List.of(decided, waiting)))
          .containsExactly(new Found(decided.requestId(), Status.SUCCESS, 42L, null, "k", 1, ""));
    }
  }

  private static Purchase purchase(long userId, int quantity) {
    return purchase(userId, quantity, "k");
  }

  private static Purchase purchase(long userId, int quantity, String key) {
    return new Purchase(5, userId, key, quantity, RequestId.of(5, userId, key).toString());
  }

  private static OrderRow row(Purchase purchase, Status status, int quantity) {
    return new OrderRow(
        42,
        purchase.requestId(),
        5,
        purchase.userId(),
        quantity,
        "5:" + purchase.userId() + ":" + purchase.idemKey(),
        status,
        null,
        "attempt",
        null);
  }

  private static Outcomes outcome(OrderRow row) {
    return new Outcomes(List.of(row), List.of());
  }
}
