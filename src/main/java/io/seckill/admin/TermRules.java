package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.book.Book;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Decides which terms of a sale may change, and makes the change. */
public final class TermRules {

  /** The terms of a locked sale once a patch is applied to them; see {@link SalePatch#applyTo}. */
  public SaleTerms patched(Map<String, Object> row, SalePatch patch) {
    return patch.applyTo(SaleRow.of(row).sale());
  }

  /**
   * Judges a change of terms.
   *
   * @param row the sale as it stands, locked; has_orders tells whether an order of it was ever
   *     written
   * @param book the book, empty where there is none
   * @return the parameters of sale-update.sql, with delta, what the stock changes by
   * @throws Refusal 409 REBUILD_REQUIRED, SETTLED, TERMS_FIXED or SALE_ENDED
   */
  public Map<String, Object> change(Map<String, Object> row, SaleTerms terms, Optional<Book> book) {
    Sale sale = SaleRow.of(row).sale();
    if (book.isEmpty() && SaleCalls.hadBook(row)) {
      throw SaleRefusals.noBook(row);
    }
    if (book.isPresent() && isFixed(book.get()) && differs(book.get(), terms)) {
      throw SaleRefusals.termsFixed(book.get().initial(), book.get().maxQuantity());
    }
    if (isEnded(sale, book) && windowDiffers(sale, terms)) {
      throw SaleRefusals.ended(sale.productId());
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("productId", terms.productId());
    parameters.put("name", terms.name());
    parameters.put("stock", terms.stock());
    parameters.put("delta", terms.stock() - sale.stock());
    parameters.put("maxQuantity", terms.maxQuantity());
    parameters.put("startsAt", terms.startsAt());
    parameters.put("endsAt", terms.endsAt());
    parameters.put("ratePerSecond", terms.ratePerSecond());
    parameters.put("activityId", terms.activityId());
    return parameters;
  }

  /** Stock and limit are fixed once a unit was reserved. */
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

  /**
   * The parameters of sale-follow-book.sql, by which MySQL takes the fixed terms of a book.
   *
   * @throws Refusal 409 REBUILD_REQUIRED or SETTLED where there is no book
   */
  public Map<String, Object> follow(Map<String, Object> row, Optional<Book> found) {
    Sale sale = SaleRow.of(row).sale();
    Book book = found.orElseThrow(() -> SaleRefusals.noBook(row));
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("productId", sale.productId());
    parameters.put("stock", book.initial());
    parameters.put("delta", book.initial() - sale.stock());
    parameters.put("maxQuantity", book.maxQuantity());
    return parameters;
  }

  /**
   * Makes sure that the terms hold: a reservation may have come first and fixed others.
   *
   * @throws Refusal 409 TERMS_FIXED
   */
  public void requireTerms(Map<String, Object> row, SaleTerms terms) {
    Sale sale = SaleRow.of(row).sale();
    if (sale.stock() != terms.stock() || sale.maxQuantity() != terms.maxQuantity()) {
      throw SaleRefusals.termsFixed(sale.stock(), sale.maxQuantity());
    }
  }
}
