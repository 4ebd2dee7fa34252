package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.BookVerifier.Verdict;
import io.seckill.book.script.AdoptReply;
import io.seckill.book.script.AdoptReply.Noted;
import io.seckill.book.script.AdoptReply.Taken;
import io.seckill.redis.PinnedCall;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/**
 * Judges whether a book is as recent as MySQL, and adopts one that is of another run than the Redis
 * that holds it. Thread-safe.
 */
public final class BookJudge {
  /**
   * A doubt about every book of this epoch or an older one.
   *
   * @param run only in the Redis of this run; null: in any
   * @param last only while the outbox has come no further; null: wherever it has come
   */
  private record Doubt(long epoch, String run, String last, String reason) {
    private boolean isOf(Book book, String presentRun) {
      return epoch >= book.epoch()
          && (run == null || run.equals(presentRun))
          && (last == null || last.equals(book.lastOutboxId()));
    }
  }

  private final DataSource dataSource;
  private final Supplier<String> run;
  private final Map<Long, Doubt> doubts = new ConcurrentHashMap<>();

  /**
   * @param run tells the run id of the Redis that this node talks to
   */
  public BookJudge(DataSource dataSource, Supplier<String> run) {
    this.dataSource = dataSource;
    this.run = run;
  }

  /**
   * Notes a book that is older than MySQL. It stays outdated until a rebuild raises the sale's
   * epoch.
   */
  void doubt(long productId, long epoch, String reason) {
    doubts.put(productId, new Doubt(epoch, null, null, reason));
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
    if (stored.settled()) {
      return Verdict.CURRENT;
    }
    Sale sale = stored.sale();
    if (found.isEmpty()) {
      return stored.hadBook() ? Verdict.outdated("Redis has lost its book") : Verdict.CURRENT;
    }
    Book book = found.get();
    if (book.closed() || stored.rebuildSince() != null && isRebuilding(productId, sale, book)) {
      return Verdict.outdated("a rebuild has begun and not ended");
    }
    if (book.epoch() != sale.epoch() && !isBeingAdopted(book, sale)) {
      return Verdict.outdated(
          "the book is of epoch " + book.epoch() + ", MySQL of epoch " + sale.epoch());
    }
    if (book.restocked() > sale.restocked()) {
      return Verdict.outdated(
          "the book holds " + book.restocked() + " restocked units, MySQL " + sale.restocked());
    }
    Doubt doubt = doubts.get(productId);
    if (doubt != null && doubt.isOf(book, run.get())) {
      return Verdict.outdated(doubt.reason());
    }
    doubts.remove(productId);
    return null;
  }

  /** MySQL's epoch was raised for this very book, and the node that did so has not finished. */
  private static boolean isBeingAdopted(Book book, Sale sale) {
    return book.epoch() < sale.epoch() && book.fencing() == sale.epoch();
  }

  /** Whether a node has judged the book in the Redis of this run already. */
  public boolean isAdopted(
      @Variable("sale") StoredSale stored, @Variable("book") Optional<Book> found) {
    Book book = found.orElseThrow();
    return book.run().equals(run.get()) && book.epoch() == stored.epoch();
  }

  /** Whether a book that is current has not been adopted in the Redis of this run. */
  public boolean mayAdopt(
      @Variable("verdict") Verdict verdict,
      @Variable("sale") StoredSale stored,
      @Variable("book") Optional<Book> found) {
    return verdict.current() && !isAdopted(stored, found);
  }

  /** The adoption of the book by the Redis of this run. */
  public Adoption begin(@Variable("sale") StoredSale stored) {
    return new Adoption(stored.sale().productId(), stored.epoch() + 1, run.get());
  }

  /** The call of {@code ledger} that reads the book where it is to be adopted. */
  public ScriptCall read(@Variable("adoption") Adoption adoption) {
    return new PinnedCall(adoption.productId(), adoption.run());
  }

  /** The call of {@code adopt} before MySQL's epoch is raised. */
  public ScriptCall note(@Variable("adoption") Adoption adoption) {
    return adoption.call("NOTE");
  }

  /** The call of {@code adopt} after it was raised. */
  public ScriptCall take(@Variable("adoption") Adoption adoption) {
    return adoption.call("TAKE");
  }

  /** Judges whether the book took a step of its adoption. */
  public Verdict stepped(@Body AdoptReply reply) {
    return reply instanceof Noted || reply instanceof Taken
        ? Verdict.CURRENT
        : Verdict.unknown("another node adopts the book");
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
   * <p>Orders of an epoch before the book's were compared when it got that epoch. What comes of
   * such an epoch later is void, and proves nothing.
   *
   * @param relayed the highest outbox ids in Kafka that MySQL may not have yet
   * @param written the highest outbox id in MySQL of the book's epoch and later ones; null for none
   */
  public Verdict byOrders(
      @Variable("productId") long productId,
      @Variable("book") Optional<Book> found,
      @Variable("relayed") Relayed relayed,
      @Body String written) {
    Book book = found.orElseThrow();
    String last = book.lastOutboxId();
    String unread = relayed.highest(productId, book.epoch());
    Verdict verdict = Verdict.CURRENT;
    if (written != null && Book.compareOutboxIds(last, written) < 0) {
      verdict = older("MySQL", last, written);
    } else if (Book.compareOutboxIds(last, unread) < 0) {
      verdict = older("Kafka", last, unread);
    }
    if (verdict.lost()) {
      // all orders need not be read again at each look. But where another node sells, they may have
      // come after this look at the book
      doubts.put(productId, new Doubt(book.epoch(), run.get(), last, verdict.reason()));
    }
    return verdict;
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
