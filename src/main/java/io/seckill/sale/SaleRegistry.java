package io.seckill.sale;

import io.seckill.domain.BookSnapshot;
import io.seckill.outbox.OutboxSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The node's list of sales: what MySQL says of them and the book last seen in Redis. Filled in the
 * background; a request only ever reads memory. Thread-safe.
 */
public final class SaleRegistry implements OutboxSource {
  private record Entry(Sale sale, boolean settled, BookSnapshot book) {}

  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
  private volatile boolean loaded;

  /** The sale of this product; empty when this node knows none. */
  public Optional<Sale> find(long productId) {
    Entry entry = entries.get(productId);
    return entry == null ? Optional.empty() : Optional.of(entry.sale());
  }

  /** The book last seen in Redis; empty when none was seen. */
  public Optional<BookSnapshot> book(long productId) {
    Entry entry = entries.get(productId);
    return entry == null ? Optional.empty() : Optional.ofNullable(entry.book());
  }

  /** Every sale this node knows. */
  public List<Sale> all() {
    return entries.values().stream().map(Entry::sale).toList();
  }

  /** The sales whose book should be in Redis: preheated and not settled. */
  public List<Sale> live() {
    return entries.values().stream()
        .filter(entry -> entry.sale().preheated() && !entry.settled())
        .map(Entry::sale)
        .toList();
  }

  /** The products whose outbox may still hold entries: those of {@link #live()}. */
  @Override
  public Collection<Long> productIds() {
    return live().stream().map(Sale::productId).toList();
  }

  /** Whether MySQL's list was read at least once; before that an unknown product may be a sale. */
  public boolean isLoaded() {
    return loaded;
  }

  /**
   * Whether a book of this product may have been in Redis: the sale is not settled. That it was not
   * preheated may be news of a second ago.
   */
  public boolean mayHaveBook(long productId) {
    Entry entry = entries.get(productId);
    return entry != null && !entry.settled();
  }

  /** Whether the sale's settlement was written, after which Redis need not hold its book. */
  public boolean isSettled(long productId) {
    Entry entry = entries.get(productId);
    return entry != null && entry.settled();
  }

  /** Takes a sale as it was just written to MySQL. What is known of its book stays. */
  public void put(Sale sale) {
    entries.compute(
        sale.productId(),
        (id, old) ->
            new Entry(sale, old != null && old.settled(), old == null ? null : old.book()));
  }

  /** Takes one row as it was just read. */
  public void put(SaleRow row) {
    entries.compute(
        row.sale().productId(),
        (id, old) -> new Entry(row.sale(), row.settled(), old == null ? null : old.book()));
  }

  /** Takes the list of MySQL. No sale is ever forgotten: MySQL deletes none. */
  public void load(Collection<SaleRow> rows) {
    rows.forEach(this::put);
    loaded = true;
  }

  /** Takes the book as just read; null when Redis has none. Does nothing for an unknown sale. */
  public void putBook(long productId, BookSnapshot book) {
    entries.computeIfPresent(productId, (id, old) -> new Entry(old.sale(), old.settled(), book));
  }

  /**
   * Takes what another node's script published of a book: units came back. A snapshot of later
   * moves stays.
   */
  public void putStock(long productId, long available, long moves) {
    entries.computeIfPresent(
        productId,
        (id, old) -> {
          BookSnapshot book = old.book();
          if (book == null || book.moves() >= moves) {
            return old;
          }
          return new Entry(
              old.sale(),
              old.settled(),
              new BookSnapshot(available, book.pending(), moves, book.epoch()));
        });
  }
}
