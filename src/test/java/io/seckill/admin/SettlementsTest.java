package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seckill.answer.Refusal;
import io.seckill.book.script.LookupReply.NotFound;
import io.seckill.book.script.NoBook;
import io.seckill.book.script.SettleBeginReply;
import io.seckill.book.script.SettleBeginReply.AtRest;
import io.seckill.book.script.SettleBeginReply.NotAtRest;
import io.seckill.book.script.SettleBeginReply.NotOver;
import io.seckill.domain.OrderCount;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettlementsTest {
  private final Settlements settlements = new Settlements("A");

  @Test
  void shouldTakeTheSoldUnitsOffInStrategyA() {
    NewSettlement settled =
        settlements.settle(row(10, 2, 12), closed(10, 2, 5), counted(5, 4), new OrderComparison());

    assertThat(settled)
        .returns(5L, NewSettlement::sold)
        .returns(5L, NewSettlement::units)
        .returns(4L, NewSettlement::orders)
        .returns(0L, NewSettlement::discrepancy)
        .returns(null, NewSettlement::details)
        .returns(5L, NewSettlement::taken)
        .returns(-5L, NewSettlement::delta);
  }

  @Test
  void shouldTakeNothingInStrategyBWhereEachOrderDid() {
    NewSettlement settled =
        new Settlements("B")
            .settle(row(10, 0, 6), closed(10, 0, 4), counted(4, 4), new OrderComparison());

    assertThat(settled).returns(0L, NewSettlement::taken).returns(null, NewSettlement::details);
  }

  @Test
  void shouldTellWhenMySqlsStockIsNotWhatTheOrdersLeave() {
    NewSettlement settled =
        new Settlements("B")
            .settle(row(10, 0, 7), closed(10, 0, 4), counted(4, 4), new OrderComparison());

    assertThat(settled.details())
        .contains("\"count\":{")
        .contains("\"expected\":6")
        .contains("\"found\":7");
  }

  @Test
  void shouldNameWhatWasOversoldAndNotGoBelowNothing() {
    NewSettlement settled =
        settlements.settle(
            row(10, 0, 10), closed(10, 0, 10), counted(13, 13), new OrderComparison());

    assertThat(settled).returns(3L, NewSettlement::discrepancy).returns(10L, NewSettlement::taken);
    assertThat(settled.details()).contains("\"oversold\":3");
  }

  @Test
  void shouldWaitForUnitsThatMySqlAddedAndTheBookHasNot() {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                settlements.settle(
                    row(10, 5, 15), closed(10, 0, 0), counted(0, 0), new OrderComparison()));

    assertThat(refusal.code()).isEqualTo("SETTLEMENT_PENDING");
  }

  @Test
  void shouldNotSettleABookThatCountsFewerUnitsThanMySqlHasSold() {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                settlements.settle(
                    row(10, 0, 10), closed(10, 0, 3), counted(5, 5), new OrderComparison()));

    assertThat(refusal.code()).isEqualTo("REBUILD_REQUIRED");
    assertThat(refusal.members()).containsEntry("units", 2L).doesNotContainKey("orders");
  }

  @Test
  void shouldTellHowManyOrdersTheBookLacksThoughItsUnitsAreRight() {
    OrderComparison comparison = new OrderComparison();
    comparison.lookups(7, List.of(new SuccessOrder(1, "7-1-x", 1, 1)));
    comparison.compareOrders(List.of(new NotFound()));
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> settlements.settle(row(10, 0, 10), closed(10, 0, 5), counted(5, 5), comparison));

    assertThat(refusal.code()).isEqualTo("REBUILD_REQUIRED");
    assertThat(refusal.members()).containsEntry("orders", 1L).doesNotContainKey("units");
  }

  @Test
  void shouldJudgeWhatTheBookSays() {
    assertThatCode(() -> settlements.requireAtRest(7, closed(1, 0, 0))).doesNotThrowAnyException();
    assertThat(refused(new NotAtRest(3, 4)).members())
        .containsEntry("pending", 3L)
        .containsEntry("outbox", 4L);
    assertThat(refused(new NotOver(1_000L)).members())
        .containsEntry("endsAt", "1970-01-01T00:00:01Z");
    assertThat(refused(new NotOver(null)).members()).doesNotContainKey("endsAt");
    assertThat(refused(NoBook.INSTANCE).code()).isEqualTo("REBUILD_REQUIRED");
  }

  @Test
  void shouldKnowTwoStrategies() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Settlements("C"));
  }

  private Refusal refused(SettleBeginReply reply) {
    return catchThrowableOfType(Refusal.class, () -> settlements.requireAtRest(7, reply));
  }

  private static StoredSale row(long stock, long restocked, long count) {
    Sale sale =
        new Sale(7, "a", stock, restocked, 1, null, null, null, null, Sale.State.ENDED, 1, true);
    return new StoredSale(sale, count, false, true, null);
  }

  private static AtRest closed(long initial, long restocked, long sold) {
    return new AtRest(initial, restocked, initial + restocked - sold, 0, sold, 0, 0, 1, 9);
  }

  private static OrderCount counted(long units, long success) {
    return new OrderCount(units, success, 0);
  }
}
