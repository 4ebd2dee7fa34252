package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.ExchangeAnswers;
import io.seckill.book.script.LookupReply.Found;
import io.seckill.domain.Purchase;
import java.util.Optional;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.AsyncProcessorSupport;

/**
 * Holds the answer to a buyer who waits, until his purchase has ended or his time is over. Then it
 * answers with the end, or as it would have without waiting. For everybody else it does nothing.
 */
public final class AwaitEndStep extends AsyncProcessorSupport {
  private static final String WAIT = "wait";
  private static final String AWAITED = "awaited";

  private final Waiters waiters;

  AwaitEndStep(Waiters waiters) {
    this.waiters = waiters;
  }

  /**
   * Notes that the buyer waits.
   *
   * @param wait null when he does not
   */
  static void note(Exchange exchange, Wait wait) {
    if (wait != null) {
      exchange.setProperty(WAIT, wait);
    }
  }

  /**
   * Notes the purchase that the answer says is pending, if the buyer waits for its end.
   *
   * @return whether he does
   */
  public static boolean expect(Exchange exchange, Purchase pending) {
    if (exchange.getProperty(WAIT) == null) {
      return false;
    }
    exchange.setProperty(AWAITED, pending);
    return true;
  }

  /** The purchase that {@link #expect} has noted; empty for none. */
  static Optional<Purchase> expected(Exchange exchange) {
    return Optional.ofNullable(exchange.getProperty(AWAITED, Purchase.class));
  }

  /**
   * Answers a question, and ends the route unless the buyer waits.
   *
   * @param pending the purchase that the answer says is pending; empty for another answer
   * @param time tells when to ask again for a pending one
   */
  public static void answer(
      Exchange exchange, Answer answer, Optional<Purchase> pending, PendingTime time) {
    if (pending.isEmpty()) {
      ExchangeAnswers.end(exchange, answer);
      return;
    }
    ExchangeAnswers.put(exchange, answer.with("Retry-After", time.seconds()));
    exchange.setRouteStop(!expect(exchange, pending.get()));
  }

  @Override
  public boolean process(Exchange exchange, AsyncCallback callback) {
    if (!(exchange.getProperty(AWAITED) instanceof Purchase purchase)) {
      callback.done(true);
      return true;
    }
    Wait wait = (Wait) exchange.getProperty(WAIT);
    boolean waits =
        waiters.await(
            purchase,
            wait,
            found -> {
              if (found != null) {
                ExchangeAnswers.put(exchange, ended(purchase, found));
              }
              if (wait.preferred()) {
                exchange.getMessage().setHeader("Preference-Applied", "wait=" + wait.seconds());
              }
              callback.done(false);
            });
    if (!waits) {
      callback.done(true);
    }
    return !waits;
  }

  private static Answer ended(Purchase purchase, Found end) {
    return ResultAnswers.answer(purchase.productId(), end);
  }
}
