package io.seckill.recovery;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers that this node compares in the background: which sales are due, and by how many units
 * their books and orders differ. Thread-safe.
 */
public final class LedgerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerWatch.class);

  private record Seen(long moves, long imbalance) {}

  private final BookWatch books;
  private final Map<Long, Seen> ledgers = new ConcurrentHashMap<>();
  private final Map<Long, Long> comparing = new ConcurrentHashMap<>();

  public LedgerWatch(BookWatch books) {
    this.books = books;
  }

  /** Products whose book has changed since the last comparison, or did not balance then. */
  public List<Long> due() {
    Map<Long, Long> moves =
        books.watched().stream()
            .filter(each -> each.book().isPresent())
            .collect(
                Collectors.toMap(
                    each -> each.sale().productId(), each -> each.book().get().moves()));
    ledgers.keySet().retainAll(moves.keySet());
    comparing.keySet().retainAll(moves.keySet());
    comparing.putAll(moves);
    return moves.entrySet().stream()
        .filter(
            each -> {
              Seen seen = ledgers.get(each.getKey());
              return seen == null || seen.moves() != each.getValue() || seen.imbalance() > 0;
            })
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /**
   * Takes a ledger.
   *
   * @param ledger null when there was no book
   */
  public void compared(Ledger ledger) {
    if (ledger == null) {
      return;
    }
    Seen seen = new Seen(comparing.getOrDefault(ledger.productId(), -1L), ledger.imbalance());
    Seen before = ledgers.put(ledger.productId(), seen);
    if (ledger.imbalance() > 0 && (before == null || before.imbalance() != ledger.imbalance())) {
      LOG.error(
          "The ledger of sale {} does not balance by {} units: {}",
          ledger.productId(),
          ledger.imbalance(),
          ledger);
    }
  }

  /** Units by which the ledgers of all sales do not balance. */
  public long imbalance() {
    return ledgers.values().stream().mapToLong(Seen::imbalance).sum();
  }

  /** Products whose ledger does not balance. */
  public Set<Long> unbalanced() {
    return ledgers.entrySet().stream()
        .filter(each -> each.getValue().imbalance() > 0)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Number of sales whose ledger does not balance. */
  public long unbalancedSales() {
    return ledgers.values().stream().filter(seen -> seen.imbalance() > 0).count();
  }
}
