package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.redis.Book;
import io.seckill.testing.TestApplication;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderWriterIT {
  private final TestApplication application = TestApplication.shared();

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
    OrderFlow flow = OrderFlow.sale(application, 2_000);
    List<OrderRecord> orders = new ArrayList<>();
    for (int user = 1; user <= 2_000; user++) {
      orders.add(flow.reserve(user, "k" + user, 1));
    }
    flow.awaitRest();
    assertThat(flow.book().sold()).isEqualTo(2_000);
    assertThat(orders).allSatisfy(order -> assertThat(flow.status(order)).contains(Status.SUCCESS));
  }
}
