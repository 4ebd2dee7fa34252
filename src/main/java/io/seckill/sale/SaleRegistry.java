package io.seckill.sale;

import io.seckill.domain.BookSnapshot;
import io.seckill.outbox.OutboxSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The node's list of sales: each sale's row in MySQL and its book as last seen in Redis. Routes
 * fill it in the background; requests read only memory. Thread-safe.
 */
public final class SaleRegistry implements OutboxSource {
  private record Entry(Sale sale, boolean settled, BookSnapshot book) {}

  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
  private volatile boolean loaded;
  private volatile boolean settledSince;

  /** The sale of this product; empty when this node does not know it. */
  public Optional<Sale> find(long productId) {
    Entry entry = entries.get(productId);
    return entry == null ? Optional.empty() : Optional.of(entry.sale());
  }

  /** The book as last seen in Redis; empty when the node has not seen it. */
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

  /** The products of {@link #live()}, whose outbox may still have entries. */
  @Override
  public Collection<Long> productIds() {
    return live().stream().map(Sale::productId).toList();
  }

  /** Whether the list was read at least once. Before that, an unknown product may be a sale. */
  public boolean isLoaded() {
    return loaded;
  }

  /**
   * Whether Redis may have a book of this product: true unless the sale is settled. The list may be
   * a second old, so the sale may have been preheated since.
   */
  public boolean mayHaveBook(long productId) {
    Entry entry = entries.get(productId);
    return entry != null && !entry.settled();
  }

  /** Whether the sale is settled. Redis may then lack its book. */
  public boolean isSettled(long productId) {
    Entry entry = entries.get(productId);
    return entry != null && entry.settled();
  }

  /** Takes a sale as just written to MySQL, and keeps the snapshot of its book. */
  public void put(Sale sale) {
    entries.compute(
        sale.productId(),
        (id, old) ->
            new Entry(sale, old != null && old.settled(), old == null ? null : old.book()));
  }

  /** Takes a row as just read. */
  public void put(SaleRow row) {
    entries.compute(
        row.sale().productId(),
        (id, old) -> new Entry(row.sale(), row.settled(), old == null ? null : old.book()));
  }

  /**
   * Takes MySQL's list, perhaps without settled sales. The registry never removes a sale, because
   * MySQL does not.
   */
  public void load(Collection<SaleRow> rows) {
    rows.forEach(this::put);
    Set<Long> listed = rows.stream().map(row -> row.sale().productId()).collect(Collectors.toSet());
    settledSince =
        entries.entrySet().stream()
            .anyMatch(each -> !each.getValue().settled() && !listed.contains(each.getKey()));
    loaded = true;
  }

  /** Whether the last list lacked a sale that is not settled as far as this node knows. */
  boolean isSettledSince() {
    return settledSince;
  }

  /** Takes a book as just read; null when Redis has none. Ignores an unknown sale. */
  public void putBook(long productId, BookSnapshot book) {
    entries.computeIfPresent(productId, (id, old) -> new Entry(old.sale(), old.settled(), book));
  }

  /**
   * Takes a published stock after units came back. Ignores it when the snapshot has later moves.
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
