package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.book.Book;
import io.seckill.domain.OrderCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class LedgerTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // what, sold before, C, available, pending, sold, writtenOff after (of 10 units), by how much
    "at rest,               3, 3, 7, 0, 3, 0, 0",
    "written not confirmed, 2, 3, 7, 1, 2, 0, 0",
    "confirmed meanwhile,   2, 3, 6, 0, 4, 0, 0",
    "pending only,          0, 0, 4, 6, 0, 0, 0",
    "written off,           1, 1, 7, 0, 1, 2, 0",
    "sold without order,    3, 2, 7, 0, 3, 0, 1",
    "order without unit,    2, 4, 8, 0, 2, 0, 2",
    "a unit too many,       3, 3, 8, 0, 3, 0, 1",
    "a unit lost,           3, 3, 6, 0, 3, 0, 1",
    "more sold than there,  9, 12, 0, 1, 9, 0, 4"
  })
  void shouldJudgeTheInvariants(
      String what,
      long soldBefore,
      long units,
      long available,
      long pending,
      long sold,
      long writtenOff,
      long imbalance) {
    Ledger ledger =
        Ledger.of(
            7,
            book(10 - soldBefore, 0, soldBefore, 0, 1),
            counted(units),
            book(available, pending, sold, writtenOff, 1));

    assertThat(ledger.imbalance()).as(what).isEqualTo(imbalance);
    assertThat(ledger.balanced()).as(what).isEqualTo(imbalance == 0);
  }

  @Test
  void shouldNotCompareBooksOfTwoEpochs() {
    assertThat(Ledger.of(7, book(10, 0, 0, 0, 1), counted(0), book(10, 0, 0, 0, 2)).balanced())
        .isFalse();
  }

  @Test
  void shouldNotTakeADebtForABalance() {
    assertThat(Ledger.of(7, book(10, 0, 0, 0, 1), counted(0), book(11, -1, 0, 0, 1)).balanced())
        .isFalse();
  }

  @Test
  void shouldBeWrittenWithTheMembersOfTheContract() throws Exception {
    Ledger ledger = Ledger.of(7, book(7, 0, 3, 0, 1), counted(3), book(7, 0, 3, 0, 1));

    assertThat(new ObjectMapper().writeValueAsString(ledger))
        .isEqualTo(
            "{\"productId\":7,\"initial\":10,\"restocked\":0,\"available\":7,\"pending\":0,"
                + "\"sold\":3,\"writtenOff\":0,\"released\":0,\"outbox\":0,"
                + "\"orders\":{\"success\":3,\"failed\":1},\"epoch\":1,\"balanced\":true}");
  }

  private static OrderCount counted(long units) {
    return new OrderCount(units, units, 1);
  }

  public static Book book(long available, long pending, long sold, long writtenOff, long epoch) {
    return new Book(
        10,
        0,
        available,
        pending,
        sold,
        writtenOff,
        0,
        1,
        null,
        null,
        "OPEN",
        epoch,
        5,
        0,
        "",
        "",
        1_000,
        0,
        false,
        "",
        0);
  }
}
