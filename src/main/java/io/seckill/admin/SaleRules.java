package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.book.Book;
import io.seckill.book.script.NoBook;
import io.seckill.book.script.PreheatReply.OtherEpoch;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.Optional;
import java.util.Set;

/** Checks that a sale exists, has its book, and may change to a state. */
public final class SaleRules {
  /** The outcomes that mean that the sale has no book of its epoch. */
  private static final Set<String> LACKING =
      Set.of(NoBook.INSTANCE.outcome(), new OtherEpoch(0).outcome());

  /**
   * Checks that the sale exists.
   *
   * @param stored the sale; null for an unknown one
   * @throws Refusal 404 UNKNOWN_PRODUCT
   */
  public void requireKnown(long productId, StoredSale stored) {
    if (stored == null) {
      throw SaleRefusals.unknown(productId);
    }
  }

  /**
   * Checks a change of state. ENDED is final; other changes may be repeated.
   *
   * @param stored the locked sale; null for an unknown one
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SALE_ENDED
   */
  public void requireState(long productId, StoredSale stored, String wanted) {
    requireKnown(productId, stored);
    if (stored.sale().state() == Sale.State.ENDED
        && Sale.State.valueOf(wanted) != Sale.State.ENDED) {
      throw SaleRefusals.ended(productId);
    }
  }

  /**
   * Checks that the sale has its book, or does not need it any more.
   *
   * @param outcome outcome of preheat.lua or ledger.lua
   * @throws Refusal 409 REBUILD_REQUIRED when it is NO_BOOK or OTHER_EPOCH
   */
  public void requireBook(StoredSale stored, String outcome) {
    if (LACKING.contains(outcome) && !stored.settled()) {
      throw SaleRefusals.noBook(stored);
    }
  }

  /**
   * Checks before a change that the sale's book can follow it.
   *
   * @param stored the locked sale; null for an unknown one
   * @param book empty when there is none
   * @throws Refusal 409 REBUILD_REQUIRED when the book is lost or outdated; 503 DEGRADED while it
   *     is on its way to another epoch
   */
  public void requireBookToChange(StoredSale stored, Optional<Book> book) {
    if (stored == null || stored.settled() || isRebuilt(stored) || !stored.hadBook()) {
      return;
    }
    long epoch = book.map(Book::epoch).orElse(0L);
    if (book.isPresent() && epoch == stored.epoch()) {
      return;
    }
    throw book.isPresent() && book.get().fencing() == stored.epoch()
        ? Refusals.degraded()
        : SaleRefusals.bookLost(stored.sale().productId());
  }

  /** MySQL alone takes changes then: the new book opens with them. */
  private static boolean isRebuilt(StoredSale stored) {
    return stored.rebuildSince() != null;
  }

  /**
   * Checks after a change, which MySQL has, that the book has it or will.
   *
   * @param outcome outcome of preheat.lua
   * @throws Refusal 503 DEGRADED when the book was lost meanwhile: whoever repeats the call learns
   *     what became of it
   */
  public void requireChanged(StoredSale stored, String outcome) {
    if (LACKING.contains(outcome) && !stored.settled() && !isRebuilt(stored)) {
      throw Refusals.degraded();
    }
  }

  /**
   * Checks that the sale still needs its book.
   *
   * @param stored the sale; null for an unknown one
   * @throws Refusal 404 UNKNOWN_PRODUCT, 409 SETTLED
   */
  public void requireUnsettled(long productId, StoredSale stored) {
    requireKnown(productId, stored);
    if (stored.settled()) {
      throw Refusal.of(409, "SETTLED", "The sale is settled: it needs no book any more.")
          .with("productId", productId);
    }
  }
}
