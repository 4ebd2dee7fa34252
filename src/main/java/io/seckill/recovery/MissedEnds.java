package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.script.RebuildCompareReply;
import io.seckill.book.script.RebuildScanReply;
import io.seckill.order.OrderRow;
import io.seckill.order.Outcomes;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Optional;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/**
 * Finds what MySQL has decided and a book that came with another Redis has missed. Buyers may have
 * been told these ends, so the book gets them before anybody trusts it. Stateless.
 */
public final class MissedEnds {

  /** Begins a search in the book that is being adopted. */
  public EndSearch search(
      @Variable("adoption") Adoption adoption, @Variable("book") Optional<Book> found) {
    return new EndSearch(adoption, found.map(Book::pending).orElse(0L));
  }

  public ScriptCall nextPending(@Variable("ends") EndSearch search) {
    return search.nextPending();
  }

  /** Takes a page of pending entries, which the search then holds. */
  public EndSearch takePending(@Variable("ends") EndSearch search, @Body RebuildScanReply reply) {
    search.takePending(reply);
    return search;
  }

  /** The outcomes of the page's entries that have a row in MySQL. */
  public Outcomes ofPending(@Variable("ends") EndSearch search, @Body List<OrderRow> rows) {
    return outcomes(search, rows);
  }

  public List<ScriptCall> compares(@Variable("ends") EndSearch search, @Body List<OrderRow> rows) {
    search.takeFailed(rows);
    return search.compares();
  }

  /** The outcomes of the page's failed rows that the book has missed. */
  public Outcomes ofFailed(
      @Variable("ends") EndSearch search, @Body List<RebuildCompareReply> replies) {
    return outcomes(search, search.missing(replies));
  }

  private static Outcomes outcomes(EndSearch search, List<OrderRow> rows) {
    search.count(rows);
    return new Outcomes(rows, List.of());
  }
}
