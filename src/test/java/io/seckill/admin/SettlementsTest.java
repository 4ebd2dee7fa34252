package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seckill.answer.Refusal;
import io.seckill.book.script.NoBook;
import io.seckill.book.script.SettleBeginReply;
import io.seckill.book.script.SettleBeginReply.AtRest;
import io.seckill.book.script.SettleBeginReply.NotAtRest;
import io.seckill.book.script.SettleBeginReply.NotOver;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettlementsTest {
  private final Settlements settlements = new Settlements("A");

  @Test
  void shouldTakeTheSoldUnitsOffInStrategyA() {
    Map<String, Object> settled =
        settlements.settle(row(10, 2, 12), closed(10, 2, 5), counted(5, 4), new OrderComparison());

    assertThat(settled)
        .containsEntry("sold", 5L)
        .containsEntry("units", 5L)
        .containsEntry("orders", 4L)
        .containsEntry("discrepancy", 0L)
        .containsEntry("details", null)
        .containsEntry("taken", 5L)
        .containsEntry("delta", -5L);
  }

  @Test
  void shouldTakeNothingInStrategyBWhereEachOrderDid() {
    Map<String, Object> settled =
        new Settlements("B")
            .settle(row(10, 0, 6), closed(10, 0, 4), counted(4, 4), new OrderComparison());

    assertThat(settled).containsEntry("taken", 0L).containsEntry("details", null);
  }

  @Test
  void shouldTellWhenMySqlsStockIsNotWhatTheOrdersLeave() {
    Map<String, Object> settled =
        new Settlements("B")
            .settle(row(10, 0, 7), closed(10, 0, 4), counted(4, 4), new OrderComparison());

    assertThat((String) settled.get("details"))
        .contains("\"count\":{")
        .contains("\"expected\":6")
        .contains("\"found\":7");
  }

  @Test
  void shouldNameWhatWasOversoldAndNotGoBelowNothing() {
    Map<String, Object> settled =
        settlements.settle(
            row(10, 0, 10), closed(10, 0, 10), counted(13, 13), new OrderComparison());

    assertThat(settled).containsEntry("discrepancy", 3L).containsEntry("taken", 10L);
    assertThat((String) settled.get("details")).contains("\"oversold\":3");
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

  private static Map<String, Object> row(long stock, long restocked, long count) {
    Map<String, Object> row = new HashMap<>();
    row.put("product_id", 7L);
    row.put("name", "a");
    row.put("initial_stock", stock);
    row.put("restocked", restocked);
    row.put("count", count);
    row.put("max_quantity", 1);
    row.put("state", "ENDED");
    row.put("epoch", 1L);
    row.put("preheated", 1);
    row.put("settled", 0L);
    return row;
  }

  private static AtRest closed(long initial, long restocked, long sold) {
    return new AtRest(initial, restocked, initial + restocked - sold, 0, sold, 0, 0, 1, 9);
  }

  private static Map<String, Object> counted(long units, long success) {
    return Map.of("units", units, "success", success, "failed", 0L);
  }
}
