package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.admin.OrderComparison.Discrepancy;
import io.seckill.book.script.LookupReply;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.book.script.LookupReply.NotFound;
import io.seckill.book.script.NoBook;
import io.seckill.book.script.RebuildScanReply.Entry;
import io.seckill.book.script.RebuildScanReply.Page;
import io.seckill.domain.Status;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderComparisonTest {
  private final OrderComparison comparison = new OrderComparison();

  @Test
  void shouldNameOrdersThatTheBookLacksOrHoldsOtherwise() {
    List<ScriptCall> calls =
        comparison.lookups(7, List.of(order(1, "a", 1), order(2, "b", 2), order(5, "c", 1)));
    comparison.compareOrders(
        List.of(held("a", Status.SUCCESS, 1), new NotFound(), held("c", Status.PENDING, 1)));

    assertThat(calls).extracting(ScriptCall::productId).containsOnly(7L);
    assertThat(calls.get(1).arguments()).containsExactly("20", "", "b");
    assertThat(comparison.named())
        .containsExactly(new Discrepancy("b", 2L, null), new Discrepancy("c", 1L, "PENDING 1"));
    assertThat(comparison.afterId()).isEqualTo(5);
    assertThat(comparison.hasMoreOrders()).isFalse();
  }

  @Test
  void shouldNameBuyersThatAreNoOrdersOnceThoughAScanShowsThemTwice() {
    assertThat(comparison.buyers(7).arguments()).containsExactly("0", "SUCCESS");
    for (String cursor : new String[] {"17", "0"}) {
      assertThat(
              comparison.confirmed(
                  new Page(
                      cursor, List.of(new Entry("a", 1, "SUCCESS"), new Entry("b", 2, "SUCCESS")))))
          .containsExactly("a", "b");
      comparison.compareBuyers(List.of("a"));
    }

    assertThat(comparison.hasMoreBuyers()).isFalse();
    assertThat(comparison.count()).isEqualTo(1);
    assertThat(comparison.named()).containsExactly(new Discrepancy("b", null, "SUCCESS 2"));
  }

  @Test
  void shouldNotTakeABookThatIsGoneOrClosedForOneThatLacksOrders() {
    assertThatThrownBy(() -> comparison.confirmed(NoBook.INSTANCE)).hasMessageContaining("rebuild");
    comparison.lookups(7, List.of(order(1, "r", 1)));
    assertThatThrownBy(() -> comparison.compareOrders(List.of(NoBook.INSTANCE)))
        .hasMessageContaining("rebuild");
    assertThat(comparison.count()).isZero();
  }

  @Test
  void shouldNameOnlySoManyAndCountAll() {
    List<SuccessOrder> page = new ArrayList<>();
    List<LookupReply> replies = new ArrayList<>();
    for (int i = 0; i < OrderComparison.PAGE; i++) {
      page.add(order(i, "r" + i, 1));
      replies.add(new NotFound());
    }
    comparison.lookups(7, page);
    comparison.compareOrders(replies);
    assertThat(comparison.hasMoreOrders()).isTrue();
    comparison.lookups(7, List.of(order(2000, "last", 1)));
    comparison.compareOrders(List.of(new NotFound()));

    assertThat(comparison.count()).isEqualTo(OrderComparison.PAGE + 1);
    assertThat(comparison.named()).hasSize(OrderComparison.NAMED);
  }

  private static SuccessOrder order(long id, String requestId, int quantity) {
    return new SuccessOrder(id, requestId, id * 10, quantity);
  }

  private static LookupReply held(String requestId, Status status, long quantity) {
    return new Found(requestId, status, 9L, null, "k", quantity, "1-1");
  }
}
