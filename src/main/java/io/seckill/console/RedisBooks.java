package io.seckill.console;

import io.seckill.book.AdmissionGuard;
import io.seckill.book.Book;
import io.seckill.book.BookVerifier.Verdict;
import io.seckill.console.Overview.LedgerView;
import io.seckill.console.Overview.Notice;
import io.seckill.console.Overview.Outbox;
import io.seckill.recovery.BookWatch;
import io.seckill.recovery.BookWatch.Watched;
import io.seckill.recovery.LedgerWatch;
import io.seckill.recovery.WatchMetrics;
import io.seckill.sale.Sale;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The books in Redis, which the node reads once a second anyhow. */
final class RedisBooks implements Books {
  private final Map<Long, Watched> watched;
  private final Set<Long> unbalanced;
  private final Map<Long, Verdict> verdicts;
  private final Outbox outbox;
  private final long lag;
  private final long oldOutboxMillis;

  /**
   * @param oldOutboxMillis an order that waits longer for Kafka needs attention
   */
  RedisBooks(
      BookWatch books,
      LedgerWatch ledgers,
      AdmissionGuard guard,
      WatchMetrics metrics,
      long oldOutboxMillis) {
    this.watched =
        books.watched().stream()
            .collect(Collectors.toMap(each -> each.sale().productId(), Function.identity()));
    this.unbalanced = ledgers.unbalanced();
    this.verdicts = guard.verdicts();
    this.outbox = new Outbox(books.outboxLength(), books.oldestOutboxMillis());
    this.lag = metrics.lag();
    this.oldOutboxMillis = oldOutboxMillis;
  }

  @Override
  public LedgerView ledger(Sale sale) {
    Watched seen = watched.get(sale.productId());
    Book book = seen == null ? null : seen.book().orElse(null);
    return book == null
        ? null
        : new LedgerView(
            book.initial(),
            book.restocked(),
            book.available(),
            book.pending(),
            book.sold(),
            book.writtenOff(),
            book.balanced() && !unbalanced.contains(sale.productId()));
  }

  @Override
  public List<Notice> attention(Sale sale) {
    Watched seen = watched.get(sale.productId());
    if (seen == null) {
      return List.of();
    }
    List<Notice> notices = new ArrayList<>();
    Verdict verdict = verdicts.get(sale.productId());
    Book book = seen.book().orElse(null);
    if (unbalanced.contains(sale.productId()) || book != null && !book.balanced()) {
      notices.add(Attention.UNBALANCED.notice("Book and orders do not balance."));
    }
    if (seen.isLost()) {
      notices.add(
          Attention.BOOK_LOST.notice(
              book == null ? "Redis has lost the book." : "The book is of an older epoch."));
    } else if (seen.isBeingRebuilt()) {
      notices.add(Attention.BEING_REBUILT.notice("A rebuild keeps the book closed."));
    } else if (verdict != null && verdict.lost()) {
      notices.add(
          Attention.REBUILD_REQUIRED.notice("The book lacks orders: " + verdict.reason() + "."));
    } else if (seen.closed() && sale.state() == Sale.State.OPEN) {
      notices.add(
          Attention.NOT_ADMITTED.notice(
              "This node admits nobody: "
                  + (verdict == null ? "not checked yet" : verdict.reason())
                  + "."));
    }
    if (book != null && book.outboxAgeMillis() > oldOutboxMillis) {
      notices.add(
          Attention.OUTBOX_OLD.notice(
              "An order has waited "
                  + book.outboxAgeMillis() / 1000
                  + " s for Kafka; "
                  + book.outboxLength()
                  + " wait."));
    }
    return notices;
  }

  @Override
  public Outbox outbox() {
    return outbox;
  }

  @Override
  public Long lag() {
    return lag;
  }
}
