package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.RecentAdmissions;
import io.seckill.book.script.LookupReply;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.book.script.LookupReply.NotFound;
import io.seckill.book.script.NoBook;
import io.seckill.book.script.RebuildCompareReply.Compared;
import io.seckill.book.script.RebuildCompareReply.Difference;
import io.seckill.book.script.RebuildScanReply.Entry;
import io.seckill.book.script.RebuildScanReply.Page;
import io.seckill.domain.BookSnapshot;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SearchesTest {
  private static final LookupReply FOUND =
      new Found("7-1-x", Status.SUCCESS, 9L, null, "k", 1, "1-1");

  private static String id(long userId) {
    return RequestId.of(7, userId, "k").toString();
  }

  @Test
  void shouldCallLostWhatNeitherBookNorMySqlKnows() {
    LostSearch search = new LostSearch(List.of(id(1), id(2), id(3)));
    assertThat(search.next().get(1).arguments()).containsExactly("2", "", id(2));
    assertThat(search.takeFromBook(List.of(FOUND, new NotFound(), new NotFound()))).isTrue();
    assertThat(search.getNotInBook()).containsExactly(id(2), id(3));
    search.takeKnown(Set.of(id(3)));
    assertThat(search.getLost()).containsExactly(id(2));
    assertThat(search.isMore()).isFalse();
  }

  @Test
  void shouldNotTakeAShutBookForOneThatKnowsNothing() {
    LostSearch search = new LostSearch(List.of(id(1)));
    assertThat(search.takeFromBook(List.of(NoBook.INSTANCE))).isFalse();
    assertThat(search.isMore()).isTrue();
    assertThat(search.getLost()).isEmpty();
  }

  @Test
  void shouldLookUpPageByPage() {
    LostSearch search =
        new LostSearch(LongStream.rangeClosed(1, 501).mapToObj(SearchesTest::id).toList());
    assertThat(search.next()).hasSize(500);
    search.takeFromBook(search.next().stream().map(call -> FOUND).toList());
    assertThat(search.next()).hasSize(1);
  }

  @Test
  void shouldCountAndNameDifferences() {
    Comparison comparison = new Comparison();
    comparison.take(NoBook.INSTANCE);
    comparison.take(
        new Compared(
            5,
            List.of(
                new Difference("a", "SUCCESS", "a", "PENDING"),
                new Difference("b", "SUCCESS", "c", "SUCCESS"),
                new Difference("d", "FAIL_SYSTEM", null, null))));
    assertThat(comparison.same()).isEqualTo(5);
    assertThat(comparison.differing()).isEqualTo(3);
    assertThat(comparison.present()).isEqualTo(7);
    assertThat(comparison.named())
        .extracting(Comparison.Named::book)
        .containsExactly("PENDING", "SUCCESS of c", "nothing");
    for (int i = 0; i < 200; i++) {
      comparison.unknownToMySql("x" + i, "SUCCESS");
    }
    assertThat(comparison.named()).hasSize(Comparison.NAMED);
    assertThat(comparison.differing()).isEqualTo(203);
  }

  @Test
  void shouldLookForUnknownEntriesOnlyWhereSomeAreMissing() {
    Comparison comparison = new Comparison();
    comparison.take(new Compared(2, List.of()));
    assertThat(new UnknownSearch(7, 2, comparison).isMore()).isFalse();

    UnknownSearch search = new UnknownSearch(7, 3, comparison);
    assertThat(search.next().arguments()).containsExactly("0", "");
    search.take(
        new Page("42", List.of(new Entry("a", 1, "SUCCESS"), new Entry("b", 1, "PENDING"))));
    assertThat(search.getRequestIds()).containsExactly("a", "b");
    search.known(Set.of("a"));
    assertThat(comparison.named().get(0).requestId()).isEqualTo("b");
    assertThat(search.isMore()).as("as many found as are missing").isFalse();
  }

  @Test
  void shouldNoticeARaisedEpochOnceTheNewBookIsThere() {
    SaleRegistry sales = new SaleRegistry();
    RecentAdmissions admissions = new RecentAdmissions(8);
    RaisedEpochs epochs = new RaisedEpochs(sales, admissions);
    sales.put(sale(1));
    sales.putBook(7, new BookSnapshot(5, 0, 1, 1));
    admissions.note(id(1));
    assertThat(epochs.due()).isEmpty();

    sales.put(sale(2));
    assertThat(epochs.due()).as("the old book is still there").isEmpty();
    sales.putBook(7, new BookSnapshot(5, 0, 1, 2));
    assertThat(epochs.due()).containsExactly(7L);
    epochs.named(7, 2);
    assertThat(epochs.due()).isEmpty();
  }

  private static Sale sale(long epoch) {
    return new Sale(7, "Phone", 10, 0, 1, null, null, null, null, Sale.State.OPEN, epoch, true);
  }
}
