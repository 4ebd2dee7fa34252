package io.seckill.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks the books after a run. A breach fails the benchmark. */
final class Invariants {
  private Invariants() {}

  /**
   * @param accepted purchases of one unit that were answered 202
   * @param uncertain purchases without an answer or with a 5xx; each may have been accepted
   * @param persists whether every reservation must be an order by now
   * @return the breaches, in words; empty when all invariants hold
   */
  static List<String> breaches(List<Book> books, long accepted, long uncertain, boolean persists) {
    List<String> breaches = new ArrayList<>();
    long taken = 0;
    for (Book book : books) {
      taken += book.taken();
      check(breaches, book, persists);
    }
    if (taken < accepted || taken > accepted + uncertain) {
      breaches.add(
          String.format(
              Locale.ROOT,
              "%d purchases were answered 202, %d may have been, but the books hold %d units taken",
              accepted,
              uncertain,
              taken));
    }
    return List.copyOf(breaches);
  }

  /** The breaches of a contender that uses MySQL alone. */
  static List<String> breachesOfMysql(List<Book> books, long accepted, long uncertain) {
    List<String> breaches = new ArrayList<>();
    long orders = 0;
    for (Book book : books) {
      orders += book.orders();
      oversold(breaches, book);
      doubleBuyers(breaches, book);
    }
    if (orders < accepted || orders > accepted + uncertain) {
      breaches.add(
          String.format(
              Locale.ROOT,
              "%d purchases were answered, %d may have been, but MySQL holds %d orders",
              accepted,
              uncertain,
              orders));
    }
    return List.copyOf(breaches);
  }

  /** Units sold beyond the stock. */
  static long oversold(Book book) {
    return Math.max(0, Math.max(book.taken(), book.ordered()) - book.initial() - book.restocked());
  }

  private static void check(List<String> breaches, Book book, boolean persists) {
    long units = book.available() + book.taken();
    if (units != book.initial() + book.restocked()
        || Math.min(book.available(), book.pending()) < 0
        || Math.min(book.sold(), book.writtenOff()) < 0) {
      breaches.add(
          String.format(
              Locale.ROOT, "I1: the book of %d does not balance: %s", book.productId(), book));
    }
    oversold(breaches, book);
    doubleBuyers(breaches, book);
    if (persists && (book.pending() != 0 || book.outbox() != 0)) {
      breaches.add(
          String.format(
              Locale.ROOT,
              "I5: %d units of %d are pending and %d entries are in the outbox, though the run is over",
              book.pending(),
              book.productId(),
              book.outbox()));
    }
    if (persists && book.sold() != book.ordered()) {
      breaches.add(
          String.format(
              Locale.ROOT,
              "I2: the book of %d says %d units sold, MySQL %d",
              book.productId(),
              book.sold(),
              book.ordered()));
    }
  }

  private static void oversold(List<String> breaches, Book book) {
    if (oversold(book) > 0) {
      breaches.add(
          String.format(
              Locale.ROOT, "I3: %d oversold %d units: %s", book.productId(), oversold(book), book));
    }
  }

  private static void doubleBuyers(List<String> breaches, Book book) {
    if (book.doubleBuyers() > 0) {
      breaches.add(
          String.format(
              Locale.ROOT,
              "I4: %d buyers of %d hold more than one order",
              book.doubleBuyers(),
              book.productId()));
    }
  }
}
