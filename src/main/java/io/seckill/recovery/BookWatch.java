package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.script.LedgerReply;
import io.seckill.health.Probes;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The last seen books of all sales that are not settled: which differ from MySQL, what waits in
 * their outboxes, and whether orders can be taken. Thread-safe.
 */
public final class BookWatch {
  /**
   * A sale in MySQL and its book.
   *
   * @param closed whether this node admits nobody to the sale
   */
  public record Watched(Sale sale, Optional<Book> book, boolean closed) {
    /**
     * Whether the book is missing though it was preheated, or has another epoch. Only a rebuild
     * helps.
     */
    public boolean isLost() {
      return book.isEmpty() ? sale.preheated() : book.get().epoch() != sale.epoch();
    }

    /** Whether a rebuild keeps the book closed. */
    public boolean isBeingRebuilt() {
      return book.map(Book::closed).orElse(false);
    }

    /** Whether the book differs from MySQL in a way that can be aligned. */
    public boolean isMisaligned() {
      if (isLost() || isBeingRebuilt()) {
        return false;
      }
      return book.map(found -> !sale.preheated() || differs(found)).orElse(true);
    }

    private boolean differs(Book found) {
      return !found.state().equals(sale.state().name())
          || found.restocked() < sale.restocked()
          || found.initial() != sale.stock()
          || found.maxQuantity() != sale.maxQuantity()
          || !Objects.equals(found.startsAt(), sale.startsAt())
          || !Objects.equals(found.endsAt(), sale.endsAt());
    }
  }

  private static final String ADMISSION = "admission";
  private static final int PRODUCTS_NAMED = 10;

  private final SaleRegistry shown;
  private final Probes probes;
  private final BooleanSupplier examined;
  private final LongPredicate admits;
  private final Duration outboxAgeLimit;
  private final long outboxMaxLength;
  private volatile List<Sale> sales = List.of();
  private volatile List<Watched> watched = List.of();
  private Set<Long> misaligned = Set.of();

  /**
   * Begins without books.
   *
   * @param shown gets the books, to tell buyers what is left
   * @param examined whether this node knows which books it trusts
   * @param admits whether this node admits purchases of a product
   * @param outboxAgeLimit entries that wait longer than this make the health red
   * @param outboxMaxLength entries at which reserve.lua refuses
   */
  public BookWatch(
      SaleRegistry shown,
      Probes probes,
      BooleanSupplier examined,
      LongPredicate admits,
      Duration outboxAgeLimit,
      long outboxMaxLength) {
    this.shown = shown;
    this.probes = probes;
    this.examined = examined;
    this.admits = admits;
    this.outboxAgeLimit = outboxAgeLimit;
    this.outboxMaxLength = outboxMaxLength;
  }

  /** Takes the rows of sales-to-watch.sql. The watch keeps them for times when MySQL is away. */
  public void sales(List<Sale> watched) {
    sales = List.copyOf(watched);
  }

  /** The sales that MySQL last listed. */
  public List<Sale> sales() {
    return sales;
  }

  /** The calls of ledger.lua for these sales, in the same order. */
  public List<ScriptCall> calls(List<Sale> of) {
    return of.stream().map(sale -> ScriptCall.of(sale.productId())).toList();
  }

  /**
   * Takes the books of these sales.
   *
   * @return products whose book differs now and differed the last time, so that a change in
   *     progress does not count
   */
  public synchronized List<Long> misaligned(List<Sale> of, List<LedgerReply> replies) {
    List<Watched> seen = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      Sale sale = of.get(i);
      Optional<Book> book = replies.get(i).asBook();
      shown.putBook(sale.productId(), book.map(Book::shown).orElse(null));
      seen.add(new Watched(sale, book, !admits.test(sale.productId())));
    }
    watched = List.copyOf(seen);
    report();
    Set<Long> now = new HashSet<>();
    seen.stream().filter(Watched::isMisaligned).forEach(each -> now.add(each.sale().productId()));
    List<Long> twice = now.stream().filter(misaligned::contains).sorted().toList();
    misaligned = now;
    return twice;
  }

  private void report() {
    long age = oldestOutboxMillis();
    if (age > outboxAgeLimit.toMillis()) {
      probes.down("outbox", "the oldest entry has waited " + age + " ms for Kafka");
    } else {
      probes.up("outbox", outboxLength() + " entries wait for Kafka, the oldest " + age + " ms");
    }
    List<Long> lost = products(Watched::isLost);
    List<Long> rebuilt = products(Watched::isBeingRebuilt);
    if (!lost.isEmpty()) {
      probes.down(
          "books",
          "no book, or an outdated one, for "
              + lost
              + ": POST /admin/sales/{productId}/rebuild makes it from MySQL");
    } else if (!rebuilt.isEmpty()) {
      probes.down("books", "a rebuild is under way for " + rebuilt);
    } else {
      probes.up("books", watched.size() + " books are as MySQL knows them");
    }
    probes.up(ADMISSION, "books were seen");
  }

  /**
   * Whether orders can be taken, by the last seen books and by the sales that are open now. So it
   * changes at once when a sale opens or closes.
   */
  public Probes.Reading admission() {
    Probes.Reading look = probes.of(ADMISSION);
    if (!look.up()) {
      return look;
    }
    if (!examined.getAsBoolean()) {
      return new Probes.Reading(false, "not known yet which books are current");
    }
    List<Watched> selling =
        watched.stream().filter(each -> each.sale().state() == Sale.State.OPEN).toList();
    long able = selling.stream().filter(this::takesOrders).count();
    return selling.isEmpty() || able > 0
        ? new Probes.Reading(true, able + " of " + selling.size() + " open sales take orders")
        : new Probes.Reading(false, "none of " + selling.size() + " open sales takes orders");
  }

  private List<Long> products(Predicate<Watched> that) {
    return watched.stream()
        .filter(that)
        .map(each -> each.sale().productId())
        .limit(PRODUCTS_NAMED)
        .toList();
  }

  /**
   * A book may be of a later epoch than the sale, which is as MySQL told it last: the book was
   * adopted since, and MySQL may be away.
   */
  private boolean takesOrders(Watched each) {
    return admits.test(each.sale().productId())
        && !each.isBeingRebuilt()
        && each.book().isPresent()
        && each.book().get().epoch() >= each.sale().epoch()
        && each.book().get().outboxLength() < outboxMaxLength;
  }

  /** The sales as last seen. */
  public List<Watched> watched() {
    return watched;
  }

  /** Number of entries in all outboxes that wait for Kafka. */
  public long outboxLength() {
    return books().mapToLong(Book::outboxLength).sum();
  }

  /** How long the oldest entry has waited, in ms. */
  public long oldestOutboxMillis() {
    return books().mapToLong(Book::outboxAgeMillis).max().orElse(0);
  }

  /** Pending units of all sales. */
  public long pendingUnits() {
    return books().mapToLong(Book::pending).sum();
  }

  /** Number of sales whose book is missing or outdated. */
  public long lostBooks() {
    return watched.stream().filter(Watched::isLost).count();
  }

  /** Number of sales that are closed on this node. */
  public long closedSales() {
    return watched.stream().filter(Watched::closed).count();
  }

  private Stream<Book> books() {
    return watched.stream().map(Watched::book).flatMap(Optional::stream);
  }
}
