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
import org.apache.camel.Exchange;
import org.apache.camel.support.SynchronizationAdapter;

/**
 * Lets a buyer's question go on to MySQL, where no book and no memory of this node answers it. Few
 * threads ask MySQL, for all buyers: so a question counts with the user's rate, a user has few
 * there at a time, and what MySQL was just asked in vain is not asked again. Thread-safe.
 */
public final class OrderQuestionSteps {
  /** Questions of one user that may be with MySQL, or wait for it, at a time. */
  private static final int AT_A_TIME = 2;

  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MissedLookups misses;
  private final Rates rates;
  private final Map<Long, Integer> asking = new ConcurrentHashMap<>();

  OrderQuestionSteps(MissedLookups misses, Rates rates) {
    this.misses = misses;
    this.rates = rates;
  }

  /**
   * Makes the message the parameters of the statement, for the route to go on.
   *
   * @param uncertain whether a book is missing that may know more than MySQL
   * @throws Refusal 404 or 503 where MySQL was just asked in vain; 429
   */
  public void ask(Exchange exchange, Lookup lookup, boolean uncertain) {
    if (misses.contains(lookup)) {
      throw ResultAnswers.notFound(uncertain);
    }
    if (lookup.isOfOneProduct()) {
      // others were counted when they were read, for they ask many books
      require(exchange, rates.admit(lookup.userId()));
    }
    begin(exchange, lookup.userId());
    exchange.setProperty(ResultSteps.UNCERTAIN, uncertain);
    exchange.getMessage().setBody(lookup);
  }

  /** MySQL had no row. */
  void missed(Lookup lookup) {
    misses.add(lookup);
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

  /** 429 where the standing refuses. */
  static void require(Exchange exchange, Standing standing) {
    if (standing.isRefused()) {
      if (standing.rate() > 0) {
        exchange.setProperty(ExchangeAnswers.STANDING, standing);
      }
      throw Refusals.throttled(standing);
    }
  }
}
