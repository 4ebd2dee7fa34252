package io.seckill.api;

import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.rate.Limit;
import io.seckill.rate.Rates;
import io.seckill.rate.Standing;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.camel.Exchange;
import org.apache.camel.support.SynchronizationAdapter;

/**
 * Sends a buyer's question on to MySQL when neither a book nor this node's memory answers it. A few
 * threads ask MySQL for all buyers. Therefore a question takes a token of the user's rate, a user
 * may have only a few questions there at a time, and a question that MySQL has just missed does not
 * go there again. Thread-safe.
 */
public final class OrderQuestionSteps {
  /** Largest number of one user's questions that MySQL answers or that wait for it. */
  private static final int AT_A_TIME = 2;

  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final String BOOKS = "books";

  private final MissedLookups misses;
  private final Rates rates;
  private final LongSupplier books;
  private final Map<Long, Integer> asking = new ConcurrentHashMap<>();

  /**
   * @param books the version of what this node knows of the books; rises when Redis is replaced
   */
  OrderQuestionSteps(MissedLookups misses, Rates rates, LongSupplier books) {
    this.misses = misses;
    this.rates = rates;
    this.books = books;
  }

  /**
   * Sets the body to the parameters of the statement and lets the route go on.
   *
   * @param uncertain whether a book is missing that may have the request
   * @throws Refusal 404 or 503 when MySQL has just missed this question; 429 over a limit
   */
  public void ask(Exchange exchange, Lookup lookup, boolean uncertain) {
    if (hasMissed(lookup, uncertain)) {
      throw ResultAnswers.notFound(uncertain);
    }
    if (lookup.isOfOneProduct()) {
      // other questions took their token when they were read, because they ask many books
      require(exchange, rates.admit(lookup.userId()));
    }
    begin(exchange, lookup.userId());
    exchange.setProperty(BOOKS, books.getAsLong());
    exchange.setProperty(ResultSteps.UNCERTAIN, uncertain);
    exchange.getMessage().setBody(lookup);
  }

  /** Whether MySQL has just missed this question. */
  boolean hasMissed(Lookup lookup, boolean uncertain) {
    return misses.contains(lookup, uncertain, books.getAsLong());
  }

  /**
   * Notes that MySQL had no row for a question of {@link #ask}.
   *
   * @param uncertain as it was asked
   */
  void missed(Exchange exchange, Lookup lookup, boolean uncertain) {
    misses.add(lookup, uncertain, exchange.getProperty(BOOKS, Long.class));
  }

  private void begin(Exchange exchange, long userId) {
    if (asking.merge(userId, 1, Integer::sum) > AT_A_TIME) {
      end(userId);
      require(exchange, new Standing(Limit.USER, rates.inForce().user(), 0, WAIT_NANOS));
    }
    exchange
        .getExchangeExtension()
        .addOnCompletion(
            new SynchronizationAdapter() {
              @Override
              public void onDone(Exchange done) {
                end(userId);
              }
            });
  }

  private void end(long userId) {
    asking.computeIfPresent(userId, (user, count) -> count == 1 ? null : count - 1);
  }

  /** Throws 429 when the standing refuses. */
  static void require(Exchange exchange, Standing standing) {
    if (standing.isRefused()) {
      if (standing.rate() > 0) {
        exchange.setProperty(ExchangeAnswers.STANDING, standing);
      }
      throw Refusals.throttled(standing);
    }
  }
}
