package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.book.script.LookupReply;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.book.script.NoBook;
import io.seckill.domain.Purchase;
import io.seckill.sale.SaleRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Makes the answers to questions for results. */
public final class ResultAnswers {
  private static final Refusal UNKNOWN =
      Refusal.of(404, "UNKNOWN_REQUEST", "You have made no such request.");
  private static final Refusal AMBIGUOUS =
      Refusals.invalid("Several of your purchases have this key: add the productId.");

  private final SaleRegistry sales;

  public ResultAnswers(SaleRegistry sales) {
    this.sales = sales;
  }

  /** 404: no such request, or another user's. */
  static Refusal unknown() {
    return UNKNOWN;
  }

  /** 400: several purchases have this key. */
  public static Refusal ambiguous() {
    return AMBIGUOUS;
  }

  /** A request that a book has. */
  record Held(long productId, Found entry) {
    Answer answer() {
      return ResultAnswers.answer(productId, entry);
    }

    /** The purchase that is to end; empty when it has ended. */
    Optional<Purchase> pending(long userId) {
      return entry.status().isTerminal()
          ? Optional.empty()
          : Optional.of(
              new Purchase(
                  productId,
                  userId,
                  entry.key(),
                  Math.toIntExact(entry.quantity()),
                  entry.requestId()));
    }
  }

  /** The answer that an entry of a book gives. */
  static Answer answer(long productId, Found entry) {
    return Answer.json(
        200,
        PurchaseAnswers.outcome(
            entry.requestId(),
            entry.key(),
            productId,
            entry.status(),
            entry.orderId(),
            entry.reason()));
  }

  /**
   * What the books tell; empty when no book has the request.
   *
   * @param trusted whether a product's book was known to be as recent as Kafka and MySQL when it
   *     was asked
   * @param products the products asked, in the order of the replies of {@code lookup.lua}
   * @throws Refusal 400 when several books have it
   */
  public Optional<Held> fromBooks(
      LongPredicate trusted, List<Long> products, List<LookupReply> replies) {
    List<Held> found = new ArrayList<>(1);
    for (int i = 0; i < replies.size(); i++) {
      long product = products.get(i);
      if (replies.get(i) instanceof Found entry && isReliable(trusted, product, entry)) {
        found.add(new Held(product, entry));
      }
    }
    return single(found);
  }

  /** A terminal status in a book is final. A PENDING in an outdated book may have ended since. */
  private static boolean isReliable(LongPredicate trusted, long product, Found entry) {
    return trusted.test(product) || entry.status().isTerminal();
  }

  /**
   * Whether a request may exist that neither these books nor MySQL know: a book is missing or not
   * trusted, or the list of sales is not read yet. The parameters are those of {@link #fromBooks}.
   */
  public boolean isUncertain(
      LongPredicate trusted, List<Long> products, List<LookupReply> replies) {
    if (!sales.isLoaded()) {
      return true;
    }
    for (int i = 0; i < replies.size(); i++) {
      long product = products.get(i);
      boolean missing = replies.get(i) instanceof NoBook;
      if (!trusted.test(product) || missing && sales.mayHaveBook(product)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The answer from MySQL's rows; empty without rows.
   *
   * @param rows of {@code sql/order-by-request.sql} or {@code sql/orders-by-key.sql}
   * @throws Refusal 400 for several rows
   */
  Optional<Answer> fromOrders(List<FoundOrder> rows) {
    return single(rows.stream().map(ResultAnswers::fromOrder).toList());
  }

  /** 503 when the request may exist all the same, else 404. */
  public static Refusal notFound(boolean uncertain) {
    return uncertain ? Refusals.degraded() : UNKNOWN;
  }

  private static Answer fromOrder(FoundOrder order) {
    return Answer.json(
        200,
        PurchaseAnswers.outcome(
            order.requestId(),
            order.clientKey(),
            order.productId(),
            order.status(),
            order.orderId(),
            order.reason()));
  }

  private static <T> Optional<T> single(List<T> found) {
    if (found.size() > 1) {
      throw AMBIGUOUS;
    }
    return found.stream().findFirst();
  }
}
