package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.Book;
import io.seckill.book.BookVerifier.Verdict;
import io.seckill.domain.OrderRecord;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BookJudgeTest {
  private String run = "ab12";
  private final BookJudge judge = new BookJudge(null, () -> run);

  private static StoredSale row(long epoch, boolean preheated) {
    return row(epoch, preheated, Sale.State.OPEN, false);
  }

  private static StoredSale row(
      long epoch, boolean preheated, Sale.State state, boolean hasOrders) {
    Sale sale = new Sale(7, "Phone", 10, 2, 1, null, null, null, null, state, epoch, preheated);
    return new StoredSale(sale, 12, false, hasOrders, null);
  }

  private static Optional<Book> book(long epoch, long restocked, String lastId, boolean closed) {
    return book(epoch, restocked, lastId, closed, "ab12", 0);
  }

  private static Optional<Book> book(
      long epoch, long restocked, String lastId, boolean closed, String run, long fencing) {
    return Optional.of(
        new Book(
            10, restocked, 10, 0, 0, 0, 0, 1, null, null, "OPEN", epoch, 1, 0, "", lastId, 0, 0,
            closed, run, fencing));
  }

  private Verdict byOrders(Optional<Book> book, String relayed, String written) {
    Relayed unread = new Relayed();
    if (!relayed.isEmpty()) {
      unread.add(order(1, relayed));
    }
    return judge.byOrders(7, book, unread, written);
  }

  private static OrderRecord order(long epoch, String outboxId) {
    return new OrderRecord(1, "7-1-x", 7, 1, 1, "k", epoch, outboxId, 0);
  }

  private Verdict byRow(StoredSale row, Optional<Book> book) throws SQLException {
    return judge.byRow(7, row, book);
  }

  @Test
  void shouldTellALossFromASaleThatNeverHadABook() throws SQLException {
    assertThat(byRow(row(1, true), Optional.empty()).lost()).isTrue();
    assertThat(byRow(row(1, false), Optional.empty()).current()).isTrue();
    StoredSale ordered = row(1, false, Sale.State.OPEN, true);
    assertThat(byRow(ordered, Optional.empty()).lost()).isTrue();
    assertThat(byRow(null, Optional.empty()).current()).isFalse();
  }

  @Test
  void shouldNotTrustABookOfAnotherEpochOrWithMoreUnits() throws SQLException {
    assertThat(byRow(row(2, true), book(1, 2, "", false)).reason()).contains("epoch");
    assertThat(byRow(row(1, true), book(2, 2, "", false)).lost()).isTrue();
    assertThat(byRow(row(1, true), book(1, 3, "", false)).reason()).contains("restocked");
    assertThat(byRow(row(1, true), book(1, 2, "", true)).reason()).contains("rebuild");
    assertThat(byRow(row(1, true), book(1, 2, "", false))).as("the orders must tell").isNull();
    assertThat(byRow(row(1, true), book(1, 0, "", false))).as("units to be added").isNull();
  }

  @Test
  void shouldCompareOutboxIdsAsNumbers() {
    assertThat(byOrders(book(1, 2, "10-9", false), "", "10-10").lost()).isTrue();
    assertThat(byOrders(book(1, 2, "10-10", false), "", "10-9").current()).isTrue();
    assertThat(byOrders(book(1, 2, "10-10", false), "", "9-99").current()).isTrue();
    assertThat(byOrders(book(1, 2, "", false), "", "9-99").lost()).isTrue();
    assertThat(byOrders(book(1, 2, "", false), "", null).current()).isTrue();
    assertThat(byOrders(book(1, 2, "10-9", false), "10-10", "10-9").reason())
        .contains("older than Kafka", "has come to 10-9", "knows 10-10");
    assertThat(byOrders(book(1, 2, "10-10", false), "10-10", "10-9").current()).isTrue();
  }

  @Test
  void shouldDoubtABookUntilItIsRebuilt() throws SQLException {
    judge.doubt(7, 1, "it knows less");
    assertThat(byRow(row(1, true), book(1, 2, "", false)).reason()).isEqualTo("it knows less");
    assertThat(byRow(row(2, true), book(2, 2, "", false))).isNull();
    assertThat(byRow(row(1, true), book(1, 2, "", false))).isNull();
  }

  @Test
  void shouldNotReadAllOrdersAgainOfABookThatOnlyARebuildOrAnotherRedisHelps() throws SQLException {
    byOrders(book(1, 2, "10-9", false), "", "10-10");
    assertThat(byRow(row(1, true), book(1, 2, "10-9", false)).reason()).contains("than MySQL");
    assertThat(byRow(row(1, true), book(1, 2, "10-10", false))).as("another node sells").isNull();
    byOrders(book(1, 2, "10-9", false), "", "10-10");
    run = "cd34";
    assertThat(byRow(row(1, true), book(1, 2, "10-9", false))).as("of another Redis").isNull();
  }

  @Test
  void shouldCompareNothingThatIsOfAnEpochBeforeTheBooks() {
    Relayed unread = new Relayed();
    unread.add(order(1, "10-10"));
    unread.add(order(2, "10-8"));
    assertThat(judge.byOrders(7, book(2, 2, "10-9", false), unread, null).current()).isTrue();
    assertThat(judge.byOrders(7, book(1, 2, "10-9", false), unread, null).lost()).isTrue();
  }

  @Test
  void shouldAdoptABookOfAnotherRunAndOneOfWhichTheAdoptionWasCutShort() throws SQLException {
    assertThat(judge.isAdopted(row(1, true), book(1, 2, "", false))).isTrue();
    Optional<Book> other = book(1, 2, "", false, "ef56", 0);
    assertThat(judge.isAdopted(row(1, true), other)).isFalse();
    assertThat(byRow(row(1, true), other)).isNull();
    Optional<Book> cutShort = book(1, 2, "", false, "ef56", 2);
    assertThat(byRow(row(2, true), cutShort)).as("its note tells").isNull();
    assertThat(byRow(row(3, true), cutShort).lost()).as("of an older note").isTrue();
    assertThat(byRow(row(2, true), other).lost()).as("without a note").isTrue();
    assertThat(judge.begin(row(2, true))).isEqualTo(new Adoption(7, 3, "ab12"));
  }

  @Test
  void shouldSeeWhatMustBeAligned() {
    StoredSale paused = row(1, true, Sale.State.PAUSED, false);
    assertThat(judge.isMisaligned(Verdict.CURRENT, paused, book(1, 2, "", false))).isTrue();
    assertThat(judge.isMisaligned(Verdict.CURRENT, row(1, true), book(1, 2, "", false))).isFalse();
    assertThat(judge.isMisaligned(Verdict.outdated("x"), paused, book(1, 2, "", false))).isFalse();
  }
}
