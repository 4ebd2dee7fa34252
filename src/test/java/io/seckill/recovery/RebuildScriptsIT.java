package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.XReadArgs;
import io.seckill.book.Book;
import io.seckill.book.BookKeys;
import io.seckill.testing.Products;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RebuildScriptsIT {
  private final long productId = Products.next();
  private final Scripts book = new Scripts(productId);

  private List<Object> swap(long epoch, long entries, long sold, String highest) {
    return book.stage(
        "rebuild-swap", epoch, entries, 10, 2, sold, 1, 3, 5, "", "", "OPEN", highest);
  }

  private String entry(long userId, String key, String status, String outboxId) {
    return book.requestId(userId, key) + "|" + key + "|1|" + status + "|" + outboxId + "|7|";
  }

  @Test
  void shouldCloseABookToBuyersAndOperatorsOnly() {
    book.preheat(10);
    assertThat(book.reserve(1, "k", 2).get(0)).isEqualTo(1L);

    List<Object> closed = book.run("rebuild-close");
    assertThat(closed.subList(0, 4)).isEqualTo(List.of(1L, 1L, 1L, 1L));
    String moves = book.sale("moves");
    assertThat(book.run("rebuild-close").get(0)).isEqualTo(1L);
    assertThat(book.sale("moves")).isEqualTo(moves);

    assertThat(book.reserve(2, "k", 1)).isEqualTo(List.of(-1L));
    assertThat(book.reserve(1, "k", 2)).isEqualTo(List.of(-1L));
    assertThat(book.run("lookup", 1, "k", "")).isEqualTo(List.of(-1L));
    assertThat(book.run("sale-state", "PAUSED")).isEqualTo(List.of(-1L));
    assertThat(book.run("restock", 1, 1)).isEqualTo(List.of(-1L));
    assertThat(book.run("preheat", 1, 10, 5, "", "", "OPEN")).isEqualTo(List.of(-1L));
    assertThat(book.run("settle-begin")).isEqualTo(List.of(-1L));
    assertThat(book.run("gate", "0", 10)).isEqualTo(List.of(-1L));
    assertThat(book.run("confirm", book.requestId(1, "k"), 7, 2).get(1)).isEqualTo(1L);
    assertThat(book.sale("sold")).isEqualTo("2");
  }

  @Test
  void shouldWriteNothingWhereThereIsNoBookToClose() {
    assertThat(book.run("rebuild-close")).isEqualTo(List.of(0L, 0L));
    assertThat(Scripts.redis().exists(BookKeys.all(productId))).isZero();
  }

  @Test
  void shouldPutTheStagedBookInPlace() {
    book.preheat(10);
    book.reserve(1, "a", 1);
    book.reserve(2, "b", 1);
    book.run("rebuild-close");

    assertThat(book.stage("rebuild-stage", 2)).isEqualTo(List.of(1L, 0L));
    Object[] pairs = {
      2, "1", entry(1, "a", "SUCCESS", "5-1"), "2|b", entry(2, "b", "FAIL_SYSTEM", "5-2")
    };
    assertThat(book.stage("rebuild-stage", pairs)).isEqualTo(List.of(1L, 2L));
    assertThat(book.stage("rebuild-stage", pairs)).isEqualTo(List.of(1L, 2L));
    assertThat(swap(2, 3, 1, "")).isEqualTo(List.of(2L, 2L));

    List<Object> open = swap(2, 2, 1, "");
    assertThat(open.subList(0, 2)).isEqualTo(List.of(1L, 10L));
    assertThat(swap(2, 2, 1, "")).as("twice is once").isEqualTo(open);

    assertThat(Scripts.redis().hgetall(BookKeys.sale(productId)))
        .containsEntry("available", "10")
        .containsEntry("pending", "0")
        .containsEntry("sold", "1")
        .containsEntry("writtenOff", "1")
        .containsEntry("released", "3")
        .containsEntry("restocked", "2")
        .containsEntry("epoch", "2")
        .doesNotContainKey("closed");
    assertThat(Scripts.redis().zcard(BookKeys.pending(productId))).isZero();
    assertThat(Scripts.redis().xlen(BookKeys.outbox(productId)))
        .as("what the relay has not sent stays")
        .isEqualTo(2);
    assertThat(Scripts.redis().keys("seckill:{" + productId + "}:staging:*")).isEmpty();
    assertThat(book.reserve(1, "a", 1).subList(0, 3))
        .isEqualTo(List.of(3L, book.requestId(1, "a"), "SUCCESS"));
    assertThat(book.reserve(2, "b", 1).get(2)).isEqualTo("FAIL_SYSTEM");
    assertThat(book.reserve(2, "c", 1).get(0)).isEqualTo(1L);
    assertThat(Long.parseLong(book.sale("moves"))).isGreaterThan(2L << 32);
  }

  @Test
  void shouldOpenABookThatNobodyBoughtFrom() {
    book.stage("rebuild-stage", 2);
    assertThat(swap(2, 0, 0, "").subList(0, 2)).isEqualTo(List.of(1L, 11L));
    assertThat(book.reserve(1, "k", 1).get(0)).isEqualTo(1L);
  }

  @Test
  void shouldGiveTheOutboxIdsHigherThanThoseMySqlKnows() {
    String future = System.currentTimeMillis() + 3_600_000 + "-10";
    book.stage("rebuild-stage", 2);
    swap(2, 0, 0, future);
    assertThat(Scripts.redis().xlen(BookKeys.outbox(productId))).isZero();
    assertThat(book.run("ledger").get(16)).isEqualTo(future);

    book.reserve(1, "k", 1);
    String next =
        Scripts.redis()
            .xread(XReadArgs.StreamOffset.from(BookKeys.outbox(productId), "0"))
            .get(0)
            .getId();
    assertThat(Book.compareOutboxIds(next, future)).isPositive();
  }

  @Test
  void shouldLeaveOutboxIdsThatAreHigherAlready() {
    book.preheat(10);
    book.reserve(1, "k", 1);
    Object last = book.run("ledger").get(16);
    book.run("rebuild-close");
    book.stage("rebuild-stage", 2);
    swap(2, 0, 0, "5-5");
    assertThat(book.run("ledger").get(16)).isEqualTo(last);
  }

  @Test
  void shouldStayClosedWhenMoreWasSoldThanThereIs() {
    book.preheat(10);
    book.run("rebuild-close");
    book.stage("rebuild-stage", 2);
    assertThat(swap(2, 0, 12, "")).isEqualTo(List.of(3L, -1L));
    assertThat(book.sale("epoch")).isEqualTo("1");
    assertThat(book.reserve(1, "k", 1)).isEqualTo(List.of(-1L));
  }

  @Test
  void shouldLetTheLaterOfTwoRebuildsWin() {
    book.stage("rebuild-stage", 2);
    book.stage("rebuild-stage", 3);
    assertThat(book.stage("rebuild-stage", 2, "1", entry(1, "a", "SUCCESS", "5-1")))
        .isEqualTo(List.of(0L, "3"));
    assertThat(book.stage("rebuild-stage", 2)).isEqualTo(List.of(0L, "3"));
    assertThat(swap(2, 0, 0, "")).isEqualTo(List.of(0L, "3"));
    assertThat(swap(3, 0, 0, "").get(0)).isEqualTo(1L);
    assertThat(swap(2, 0, 0, "")).isEqualTo(List.of(0L, "3"));
    assertThat(book.stage("rebuild-stage", 4, "1", "x")).isEqualTo(List.of(0L, ""));
  }

  @Test
  void shouldCloseABookOfAnOlderEpochWhenStagingBegins() {
    book.preheat(10);
    book.stage("rebuild-stage", 2);
    assertThat(book.reserve(1, "k", 1)).isEqualTo(List.of(-1L));
  }

  @Test
  void shouldTellWhereABookDiffersFromRows() {
    assertThat(book.run("rebuild-compare", "1", "x", "SUCCESS")).isEqualTo(List.of(-1L));
    book.preheat(10);
    book.reserve(1, "a", 1);
    book.reserve(2, "b", 1);
    book.run("confirm", book.requestId(1, "a"), 7, 1);
    String same = book.requestId(1, "a");
    String pending = book.requestId(2, "b");
    String absent = book.requestId(3, "c");
    assertThat(
            book.run(
                "rebuild-compare",
                "1",
                same,
                "SUCCESS",
                "2",
                pending,
                "SUCCESS",
                "3",
                absent,
                "SUCCESS"))
        .isEqualTo(
            List.of(
                1L,
                1L,
                List.of(pending, "SUCCESS", pending, "PENDING"),
                List.of(absent, "SUCCESS", "", "")));
  }

  @Test
  void shouldScanAllEntries() {
    book.preheat(5_000);
    for (int user = 1; user <= 1_500; user++) {
      book.reserve(user, "k", 1);
    }
    List<Object> ids = new ArrayList<>();
    String cursor = "0";
    do {
      List<Object> page = book.run("rebuild-scan", cursor, "PENDING");
      cursor = (String) page.get(1);
      page.subList(2, page.size()).forEach(found -> ids.add(((List<?>) found).get(0)));
    } while (!cursor.equals("0"));
    assertThat(ids).hasSize(1_500).doesNotHaveDuplicates().contains(book.requestId(77, "k"));
    assertThat(book.run("rebuild-scan", "0", "FAIL")).hasSizeLessThanOrEqualTo(2);
  }
}
