package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seckill.answer.Refusal;
import java.util.HashMap;
import java.util.List;
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
    assertThat(refused(List.of(2L, 3L, 4L)).members())
        .containsEntry("pending", 3L)
        .containsEntry("outbox", 4L);
    assertThat(refused(List.of(3L, "1000")).members())
        .containsEntry("endsAt", "1970-01-01T00:00:01Z");
    assertThat(refused(List.of(3L, "")).members()).doesNotContainKey("endsAt");
    assertThat(refused(List.of(-1L)).code()).isEqualTo("REBUILD_REQUIRED");
  }

  @Test
  void shouldKnowTwoStrategies() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Settlements("C"));
  }

  private Refusal refused(List<Object> reply) {
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

  private static List<Object> closed(long initial, long restocked, long sold) {
    return List.of(1L, initial, restocked, initial + restocked - sold, 0L, sold, 0L, 0L, 1L, 9L);
  }

  private static Map<String, Object> counted(long units, long success) {
    return Map.of("units", units, "success", success, "failed", 0L);
  }
}
