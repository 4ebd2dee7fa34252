package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.book.Book;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.Objects;
import java.util.Optional;

/** Decides which terms of a sale may change, and makes the change. */
public final class TermRules {

  /** The terms of a locked sale with a patch; see {@link SalePatch#applyTo}. */
  public SaleTerms patched(StoredSale stored, SalePatch patch) {
    return patch.applyTo(stored.sale());
  }

  /**
   * Checks a change of terms.
   *
   * @param stored the locked sale, which tells whether it ever had an order
   * @param book the book; empty when there is none
   * @throws Refusal 409 REBUILD_REQUIRED, SETTLED, TERMS_FIXED or SALE_ENDED
   */
  public TermChange change(StoredSale stored, SaleTerms terms, Optional<Book> book) {
    Sale sale = stored.sale();
    if (book.isEmpty() && stored.hadBook()) {
      throw SaleRefusals.noBook(stored);
    }
    if (book.isPresent() && isFixed(book.get()) && differs(book.get(), terms)) {
      throw SaleRefusals.termsFixed(book.get().initial(), book.get().maxQuantity());
    }
    if (isEnded(sale, book) && (windowDiffers(sale, terms) || unitsDiffer(sale, terms))) {
      throw SaleRefusals.ended(sale.productId());
    }
    return new TermChange(
        terms.productId(),
        terms.name(),
        terms.stock(),
        terms.stock() - sale.stock(),
        terms.maxQuantity(),
        terms.startsAt(),
        terms.endsAt(),
        terms.ratePerSecond(),
        terms.activityId());
  }

  /** Whether stock and limit are fixed, because a unit was reserved. */
  private static boolean isFixed(Book book) {
    return book.pending() + book.sold() + book.writtenOff() + book.released() > 0;
  }

  private static boolean differs(Book book, SaleTerms terms) {
    return terms.stock() != book.initial() || terms.maxQuantity() != book.maxQuantity();
  }

  private static boolean isEnded(Sale sale, Optional<Book> book) {
    return sale.state() == Sale.State.ENDED
        || book.filter(found -> found.state().equals(Sale.State.ENDED.name())).isPresent();
  }

  private static boolean windowDiffers(Sale sale, SaleTerms terms) {
    return !Objects.equals(sale.startsAt(), terms.startsAt())
        || !Objects.equals(sale.endsAt(), terms.endsAt());
  }

  private static boolean unitsDiffer(Sale sale, SaleTerms terms) {
    return sale.stock() != terms.stock() || sale.maxQuantity() != terms.maxQuantity();
  }

  /**
   * The fixed terms of a book, for MySQL.
   *
   * @throws Refusal 409 REBUILD_REQUIRED or SETTLED without a book
   */
  public FixedTerms follow(StoredSale stored, Optional<Book> found) {
    Sale sale = stored.sale();
    Book book = found.orElseThrow(() -> SaleRefusals.noBook(stored));
    return new FixedTerms(
        sale.productId(), book.initial(), book.initial() - sale.stock(), book.maxQuantity());
  }

  /**
   * Checks that the sale has these terms, because an earlier reservation may have fixed
   * others. @throws Refusal 409 TERMS_FIXED
   */
  public void requireTerms(StoredSale stored, SaleTerms terms) {
    Sale sale = stored.sale();
    if (unitsDiffer(sale, terms)) {
      throw SaleRefusals.termsFixed(sale.stock(), sale.maxQuantity());
    }
  }
}
