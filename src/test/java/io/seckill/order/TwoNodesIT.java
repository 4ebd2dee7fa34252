package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.domain.OrderRecord;
import io.seckill.domain.Status;
import io.seckill.testing.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two nodes relay, write and sweep the same sale; one of them leaves in the middle. */
class TwoNodesIT {
  private static final Map<String, String> HASTY_SWEEPER =
      Map.of("seckill.sweeper.period", "200", "seckill.sweeper.pending-limit", "100");

  @Test
  void shouldWriteEachOrderOnceWithTwoNodesOneOfWhichLeaves() {
    TestApplication first = TestApplication.shared();
    OrderFlow flow = OrderFlow.sale(first, 1_000);
    List<OrderRecord> orders = new ArrayList<>();
    try (TestApplication second = TestApplication.start(HASTY_SWEEPER)) {
      assertThat(second.camelContext().isStarted()).isTrue();
      for (int user = 1; user <= 600; user++) {
        OrderRecord order = flow.reserve(user, "k", 1);
        orders.add(order);
        if (user % 3 == 0) {
          flow.send(order);
        }
      }
    }
    for (int user = 601; user <= 1_000; user++) {
      orders.add(flow.reserve(user, "k", 1));
    }

    flow.awaitRest();
    assertThat(orders).allSatisfy(order -> assertThat(flow.status(order)).contains(Status.SUCCESS));
    assertThat(flow.orders(Status.SUCCESS)).isEqualTo(1_000);
    assertThat(flow.book().sold()).isEqualTo(1_000);
    assertThat(flow.book().available()).isZero();
  }
}
