package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderSnapshotTest {
  private static final long PRODUCT = 7;

  private static Sale sale(long restocked) {
    return new Sale(
        PRODUCT, "Phone", 100, restocked, 2, 5L, null, null, null, Sale.State.PAUSED, 4, true);
  }

  private static SnapshotRow row(
      long id, long userId, String key, int quantity, Status status, String outboxId) {
    return new SnapshotRow(
        id,
        RequestId.of(PRODUCT, userId, key).toString(),
        userId,
        quantity,
        PRODUCT + ":" + userId + ":" + key,
        status,
        status == Status.SUCCESS ? null : "bad|\nluck",
        outboxId);
  }

  @Test
  void shouldCountUnitsByWhatBecameOfThem() {
    OrderSnapshot snapshot = new OrderSnapshot(sale(0), 9);
    snapshot.take(
        List.of(
            row(1, 1, "a", 2, Status.SUCCESS, "9-9"),
            row(4, 2, "a", 1, Status.SUCCESS, "9-10"),
            row(5, 3, "a", 3, Status.FAIL_SYSTEM, "8-11"),
            row(6, 3, "b", 1, Status.FAIL_DUPLICATE, null),
            row(9, 4, "a", 4, Status.FAIL_SOLD_OUT, "9-2")));

    assertThat(snapshot.units()).isEqualTo(new Units(2, 3, 3, 4, 4, "9-10"));
    assertThat(snapshot.isMore()).isFalse();
  }

  @Test
  void shouldOpenTheBookWithTheTermsOfTheMoment() {
    OrderSnapshot snapshot = new OrderSnapshot(sale(0), 1);
    snapshot.take(List.of(row(1, 1, "a", 2, Status.SUCCESS, "9-9")));

    assertThat(snapshot.swap(sale(30), new Remainder(127, 1), "ab12").arguments())
        .containsExactly(
            "4", "1", "100", "30", "2", "1", "0", "2", "5", "", "PAUSED", "9-9", "ab12");
    assertThat(snapshot.swap(sale(30), new Remainder(128, 0), "").keys())
        .containsExactly(
            "seckill:{7}:sale",
            "seckill:{7}:users",
            "seckill:{7}:outbox",
            "seckill:{7}:pending",
            "seckill:{7}:staging:sale",
            "seckill:{7}:staging:users");
  }

  @Test
  void shouldKeepTheAnswerOfEachKey() {
    OrderSnapshot snapshot = new OrderSnapshot(sale(0), 3);
    snapshot.take(
        List.of(
            row(2, 1, "k:1", 2, Status.SUCCESS, "9-9"),
            row(3, 1, "k:2", 1, Status.FAIL_SYSTEM, "9-8")));

    assertThat(snapshot.stages()).hasSize(1);
    assertThat(snapshot.stages().get(0).arguments())
        .containsExactly(
            "4",
            "1",
            RequestId.of(PRODUCT, 1, "k:1") + "|k:1|2|SUCCESS|9-9|2|",
            "1|k:2",
            RequestId.of(PRODUCT, 1, "k:2") + "|k:2|1|FAIL_SYSTEM|9-8||bad  luck");
    assertThat(snapshot.compares().get(0).arguments())
        .startsWith("1", RequestId.of(PRODUCT, 1, "k:1").toString(), "SUCCESS", "1|k:2");
  }

  @Test
  void shouldReadPageByPageInCallsOfBoundedSize() {
    OrderSnapshot snapshot = new OrderSnapshot(sale(0), 5_200);
    assertThat(snapshot.isMore()).isTrue();
    List<SnapshotRow> page = new ArrayList<>();
    for (int user = 1; user <= 5_000; user++) {
      page.add(row(user, user, "k", 1, Status.SUCCESS, "9-" + user));
    }
    snapshot.take(page);

    assertThat(snapshot.isMore()).isTrue();
    assertThat(snapshot.getAfterId()).isEqualTo(5_000);
    List<ScriptCall> stages = snapshot.stages();
    assertThat(stages).hasSize(10);
    assertThat(stages).allSatisfy(call -> assertThat(call.arguments()).hasSize(1_001));

    snapshot.take(List.of(row(5_200, 6_000, "k", 1, Status.SUCCESS, "9-1")));
    assertThat(snapshot.isMore()).isFalse();
    assertThat(snapshot.units().success()).isEqualTo(5_001);
  }

  @Test
  void shouldReadNothingWhereNobodyBought() {
    OrderSnapshot snapshot = new OrderSnapshot(sale(0), 0);
    assertThat(snapshot.isMore()).isFalse();
    assertThat(snapshot.units()).isEqualTo(Units.NONE);
    assertThat(snapshot.stages()).isEmpty();
  }

  @Test
  void shouldRefuseARowThatNobodyWrites() {
    SnapshotRow row = new SnapshotRow(1, "7-1-h", 1, 1, "a", Status.SUCCESS, null, "9-9");
    assertThatThrownBy(() -> BookEntry.of(row)).isInstanceOf(IllegalStateException.class);
  }
}
