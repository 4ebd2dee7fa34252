package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.BookVerifier.Verdict;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Judges whether a book is as recent as MySQL. Thread-safe. */
public final class BookJudge {
  /** A doubt about every book of this epoch or an older one. */
  private record Doubt(long epoch, String reason) {}

  private final DataSource dataSource;
  private final Map<Long, Doubt> doubts = new ConcurrentHashMap<>();

  public BookJudge(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Notes a book that is older than MySQL. It stays outdated until a rebuild raises the sale's
   * epoch.
   */
  void doubt(long productId, long epoch, String reason) {
    doubts.put(productId, new Doubt(epoch, reason));
  }

  /**
   * Judges by the sale's row.
   *
   * @param stored null when MySQL does not have the sale
   * @return null when the judgement also needs the orders
   */
  public Verdict byRow(
      @Variable("productId") long productId,
      @Variable("sale") StoredSale stored,
      @Variable("book") Optional<Book> found)
      throws SQLException {
    if (stored == null) {
      return Verdict.outdated("MySQL does not know the sale");
    }
    Sale sale = stored.sale();
    if (found.isEmpty()) {
      return stored.hadBook() ? Verdict.outdated("Redis has lost its book") : Verdict.CURRENT;
    }
    Book book = found.get();
    if (book.closed() || stored.rebuildSince() != null && isRebuilding(productId, sale, book)) {
      return Verdict.outdated("a rebuild has begun and not ended");
    }
    if (book.epoch() != sale.epoch()) {
      return Verdict.outdated(
          "the book is of epoch " + book.epoch() + ", MySQL of epoch " + sale.epoch());
    }
    if (book.restocked() > sale.restocked()) {
      return Verdict.outdated(
          "the book holds " + book.restocked() + " restocked units, MySQL " + sale.restocked());
    }
    Doubt doubt = doubts.get(productId);
    if (doubt != null && doubt.epoch() >= book.epoch()) {
      return Verdict.outdated(doubt.reason());
    }
    doubts.remove(productId);
    return null;
  }

  /**
   * A rebuild that crashed after it had opened the book is complete, except for the note of its
   * end.
   */
  private boolean isRebuilding(long productId, Sale sale, Book book) throws SQLException {
    return book.epoch() != sale.epoch() || !RebuildLock.isFree(dataSource, productId);
  }

  /**
   * Judges by the orders.
   *
   * @param relayed the highest outbox id in Kafka that MySQL may not have yet; empty for none
   * @param written the highest outbox id in MySQL; null for none
   */
  public Verdict byOrders(
      @Variable("book") Optional<Book> book,
      @Variable("relayed") String relayed,
      @Body String written) {
    String last = book.map(Book::lastOutboxId).orElse("");
    if (written != null && Book.compareOutboxIds(last, written) < 0) {
      return older("MySQL", last, written);
    }
    if (Book.compareOutboxIds(last, relayed) < 0) {
      return older("Kafka", last, relayed);
    }
    return Verdict.CURRENT;
  }

  private static Verdict older(String server, String last, String highest) {
    return Verdict.outdated(
        "Redis is older than "
            + server
            + ": the outbox has come to "
            + (last.isEmpty() ? "nothing" : last)
            + ", and "
            + server
            + " knows "
            + highest);
  }

  /** Whether the state or terms of a current book differ from MySQL. */
  public boolean isMisaligned(
      @Variable("verdict") Verdict verdict,
      @Variable("sale") StoredSale stored,
      @Variable("book") Optional<Book> book) {
    return verdict.current() && new BookWatch.Watched(stored.sale(), book, false).isMisaligned();
  }

  /** Whether a rebuild opened the book but could not note its end. */
  public boolean isNoteLeft(
      @Variable("verdict") Verdict verdict, @Variable("sale") StoredSale stored) {
    return verdict.current() && stored.rebuildSince() != null;
  }
}
