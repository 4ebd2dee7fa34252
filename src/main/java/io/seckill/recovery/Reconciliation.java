package io.seckill.recovery;

import io.seckill.book.AdmissionGuard;
import io.seckill.book.Book;
import io.seckill.domain.OrderCount;
import io.seckill.domain.Progress;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks twice at sales whose book and orders differ, so that orders in flight do not count. The
 * first look notes its findings and the present end of the orders in Kafka. A finding is confirmed
 * when a later look, after the writers have passed that end, shows it again. Then, if the book may
 * sell sold units again, the sale is closed until it is rebuilt; other findings are only reported.
 * The sweeper handles pending reservations that MySQL has decided; the watch handles the state and
 * terms of books.
 */
public final class Reconciliation {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

  private record Suspicion(Set<Finding.Kind> kinds, long epoch, Progress.Mark mark) {}

  private final BookWatch books;
  private final LedgerWatch ledgers;
  private final AdmissionGuard guard;
  private final BookJudge judge;
  private final Progress orders;
  private final Map<Long, Suspicion> suspicions = new HashMap<>();
  private final Map<Long, List<Finding>> findings = new ConcurrentHashMap<>();

  /**
   * @param orders the progress of the writers
   */
  public Reconciliation(
      BookWatch books,
      LedgerWatch ledgers,
      AdmissionGuard guard,
      BookJudge judge,
      Progress orders) {
    this.books = books;
    this.ledgers = ledgers;
    this.guard = guard;
    this.judge = judge;
    this.orders = orders;
  }

  /**
   * The sales to look at: those with a difference in the last watch, and those with earlier
   * findings.
   */
  public synchronized Collection<Long> suspects() {
    Set<Long> suspects = new TreeSet<>(suspicions.keySet());
    suspects.addAll(ledgers.unbalanced());
    books.watched().stream()
        .filter(BookWatch.Watched::isLost)
        .map(watched -> watched.sale().productId())
        .filter(guard::admits)
        .forEach(suspects::add);
    findings.keySet().retainAll(suspects);
    return suspects;
  }

  /**
   * Looks at one sale.
   *
   * @param before the book before the orders were counted
   * @param counted the orders
   * @param after the book after that
   */
  public synchronized void look(
      @Variable("productId") long productId,
      @Variable("sale") StoredSale stored,
      @Variable("bookBefore") Optional<Book> before,
      @Variable("counted") OrderCount counted,
      @Variable("book") Optional<Book> after) {
    if (stored == null || stored.settled()) {
      forget(productId);
      return;
    }
    Sale sale = stored.sale();
    if (after.isEmpty() || after.get().epoch() != sale.epoch()) {
      forget(productId);
      if (sale.preheated()) {
        guard.close(productId);
      }
      return;
    }
    List<Finding> found =
        before.map(book -> Finding.of(book, counted, after.get())).orElse(List.of());
    if (found.isEmpty() || after.get().closed()) {
      forget(productId);
      return;
    }
    Set<Finding.Kind> kinds =
        found.stream()
            .map(Finding::kind)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Finding.Kind.class)));
    Suspicion earlier = suspicions.get(productId);
    if (earlier == null || earlier.epoch() != sale.epoch() || !earlier.kinds().containsAll(kinds)) {
      suspicions.put(productId, new Suspicion(kinds, sale.epoch(), orders.mark()));
    } else if (earlier.mark().isPassed()) {
      confirm(productId, sale.epoch(), found);
    }
  }

  private void forget(long productId) {
    suspicions.remove(productId);
    if (findings.remove(productId) != null) {
      LOG.info("Sale {}: book and orders agree again", productId);
    }
  }

  private void confirm(long productId, long epoch, List<Finding> found) {
    List<Finding> before = findings.put(productId, found);
    if (!found.equals(before)) {
      found.forEach(
          finding -> LOG.error("Sale {}: {}: {}", productId, finding.kind(), finding.detail()));
    }
    found.stream()
        .filter(finding -> finding.kind().isOutdated())
        .findFirst()
        .ifPresent(
            finding -> {
              judge.doubt(productId, epoch, finding.detail());
              guard.close(productId);
            });
  }

  /** The confirmed findings by sale. */
  public Map<Long, List<String>> findings() {
    Map<Long, List<String>> named = new TreeMap<>();
    findings.forEach(
        (productId, found) ->
            named.put(
                productId,
                found.stream().map(finding -> finding.kind() + ": " + finding.detail()).toList()));
    return named;
  }
}
