package io.seckill.book;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.script.Script;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BookTest {
  private static List<Object> reply(long available, long pending, String oldest) {
    return new ArrayList<>(
        List.of(
            1L, 10L, 5L, available, pending, 4L, 1L, 2L, 3L, "", "2000", "OPEN", 7L, 99L, 6L,
            oldest, "1500-3", 2_000L, 8L, 0L, "ab12", 0L));
  }

  private static Book book(long available, long pending, String oldest) {
    return Script.LEDGER.read(reply(available, pending, oldest)).asBook().orElseThrow();
  }

  @Test
  void shouldReadTheLedgersReply() {
    Book book = book(8, 2, "1400-0");
    assertThat(book)
        .isEqualTo(
            new Book(
                10, 5, 8, 2, 4, 1, 2, 3, null, 2_000L, "OPEN", 7, 99, 6, "1400-0", "1500-3", 2_000,
                8, false, "ab12", 0));
    assertThat(book.balanced()).isTrue();
    assertThat(book.outboxAgeMillis()).isEqualTo(600);
    assertThat(Script.LEDGER.read(List.of(-1L)).asBook()).isEmpty();
  }

  @Test
  void shouldTellABookThatIsOutOfBalance() {
    assertThat(book(9, 2, "").balanced()).isFalse();
    assertThat(book(11, -1, "").balanced()).isFalse();
    assertThat(book(8, 2, "").outboxAgeMillis()).isZero();
  }

  @Test
  void shouldOrderOutboxIdsAsRedisDoes() {
    List<String> ordered = List.of("", "999-5", "1000-0", "1000-2", "1000-10", "1001-0");
    for (int i = 0; i < ordered.size(); i++) {
      for (int j = 0; j < ordered.size(); j++) {
        assertThat(Integer.signum(Book.compareOutboxIds(ordered.get(i), ordered.get(j))))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }
}
