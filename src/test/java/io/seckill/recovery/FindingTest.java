package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.Book;
import io.seckill.domain.OrderCount;
import org.junit.jupiter.api.Test;

class FindingTest {
  static Book book(long available, long pending, long sold, long epoch) {
    return new Book(
        10, 0, available, pending, sold, 0, 0, 1, null, null, "OPEN", epoch, 1, 0, "", "", 0, 0,
        false, "", 0);
  }

  private static Finding.Kind only(Book before, long units, Book after) {
    var found = Finding.of(before, counted(units), after);
    assertThat(found).hasSize(1);
    return found.get(0).kind();
  }

  @Test
  void shouldFindNothingInWhatIsInFlight() {
    assertThat(Finding.of(book(7, 3, 0, 1), counted(3), book(7, 3, 0, 1))).isEmpty();
    assertThat(Finding.of(book(7, 3, 0, 1), counted(5), book(5, 4, 1, 1))).isEmpty();
    assertThat(Finding.of(book(7, 0, 3, 1), counted(3), book(7, 0, 3, 1))).isEmpty();
    assertThat(Finding.of(book(10, 0, 0, 1), counted(9), book(1, 0, 9, 2)))
        .as("rebuilt between the reads")
        .isEmpty();
  }

  @Test
  void shouldTellWhichSideKnowsMore() {
    assertThat(only(book(7, 0, 3, 1), 2, book(7, 0, 3, 1))).isEqualTo(Finding.Kind.AHEAD);
    assertThat(only(book(7, 1, 2, 1), 4, book(7, 1, 2, 1))).isEqualTo(Finding.Kind.BEHIND);
    assertThat(Finding.Kind.BEHIND.isOutdated()).isTrue();
    assertThat(Finding.Kind.AHEAD.isOutdated()).isFalse();
  }

  @Test
  void shouldFindUnitsThatDoNotAddUpAndThatWereSoldTwice() {
    assertThat(only(book(7, 0, 3, 1), 3, book(8, 0, 3, 1))).isEqualTo(Finding.Kind.UNITS);
    assertThat(Finding.of(book(0, 0, 10, 1), counted(11), book(0, 0, 10, 1)))
        .extracting(Finding::kind)
        .containsExactly(Finding.Kind.BEHIND, Finding.Kind.OVERSOLD);
  }

  private static OrderCount counted(long units) {
    return new OrderCount(units, units, 0);
  }
}
