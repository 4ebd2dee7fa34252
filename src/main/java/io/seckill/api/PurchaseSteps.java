package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.FaultAnswers;
import io.seckill.answer.Problem;
import io.seckill.answer.RefusableStep;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.book.RecentAdmissions;
import io.seckill.book.script.ReserveReply;
import io.seckill.book.script.ReserveReply.AlreadyBought;
import io.seckill.book.script.ReserveReply.Ended;
import io.seckill.book.script.ReserveReply.KeyReused;
import io.seckill.book.script.ReserveReply.NotStarted;
import io.seckill.book.script.ReserveReply.OutboxFull;
import io.seckill.book.script.ReserveReply.OverLimit;
import io.seckill.book.script.ReserveReply.Paused;
import io.seckill.book.script.ReserveReply.Replayed;
import io.seckill.book.script.ReserveReply.SoldOut;
import io.seckill.domain.Purchase;
import io.seckill.domain.Status;
import io.seckill.http.ClientAddress;
import io.seckill.http.Request;
import io.seckill.identity.Identity;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.rate.Rates;
import io.seckill.rate.Standing;
import io.seckill.sale.SaleRegistry;
import io.seckill.sale.SoldOutGate;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The steps of the route that takes purchases. Exchange property {@link #USER_ID} holds the buyer,
 * {@link #PURCHASE} the purchase. The steps count each outcome.
 */
public final class PurchaseSteps {
  static final String USER_ID = "userId";
  public static final String PURCHASE = "purchase";

  private static final String ADDRESS = "clientAddress";

  private final SaleRegistry sales;
  private final SoldOutGate gate;
  private final SeckillMetrics metrics;
  private final RecentAdmissions admissions;
  private final PurchaseAnswers answers;

  PurchaseSteps(
      SaleRegistry sales,
      SoldOutGate gate,
      SeckillMetrics metrics,
      RecentAdmissions admissions,
      PendingTime time) {
    this.sales = sales;
    this.gate = gate;
    this.metrics = metrics;
    this.admissions = admissions;
    this.answers = new PurchaseAnswers(time);
  }

  /**
   * Takes a token of the address's rate, or answers 429. It is the first step, because all others
   * cost more. A request that is refused later as unauthenticated or malformed has taken its token.
   */
  Processor admitAddress(ClientAddress address, Rates rates) {
    return exchange -> {
      if (rates.limitsAddresses()) {
        long from = address.of((Request) exchange.getMessage().getBody());
        exchange.setProperty(ADDRESS, from);
        note(exchange, rates.admitAddress(from));
      }
    };
  }

  /** Identifies the buyer, or answers 401. */
  Processor identify(Identity identity) {
    return new IdentifyStep(identity, exchange -> {}, refusal -> metrics.refused(refusal.code()));
  }

  /** Reads the {@link Purchase}, and whether to wait for its end, or answers 400 or 415. */
  Processor read(PurchaseReader reader) {
    return step(
        exchange -> {
          Request request = (Request) exchange.getMessage().getBody();
          Purchase purchase = reader.read(request, exchange.getProperty(USER_ID, Long.class));
          exchange.setProperty(PURCHASE, purchase);
          AwaitEndStep.note(exchange, Wait.preferred(request));
          exchange.getMessage().setBody(purchase);
        });
  }

  /**
   * Takes a token of the other rates, or answers 429. Each answer from here on tells the buyer's
   * standing with the rates.
   */
  Processor admit(Rates rates) {
    return exchange -> {
      Purchase purchase = (Purchase) exchange.getMessage().getBody();
      Standing ofAddress = (Standing) exchange.getProperty(ExchangeAnswers.STANDING);
      note(
          exchange,
          ofAddress == null
              ? rates.admit(purchase.productId(), purchase.userId(), 0, Standing.UNLIMITED)
              : rates.admit(
                  purchase.productId(),
                  purchase.userId(),
                  (Long) exchange.getProperty(ADDRESS),
                  ofAddress));
    };
  }

  /** Keeps the standing for the answers from here on, and answers a refused request. */
  private void note(Exchange exchange, Standing standing) {
    if (standing.limit() != null) {
      exchange.setProperty(ExchangeAnswers.STANDING, standing);
    }
    if (standing.isRefused()) {
      Refusal throttled = Refusals.throttled(standing);
      if (exchange.getMessage().getBody() instanceof Purchase purchase) {
        metrics.refused(throttled.code(), purchase.productId());
      } else {
        metrics.refused(throttled.code());
      }
      metrics.throttled(standing.limit().label());
      ExchangeAnswers.end(exchange, Problem.of(throttled));
    }
  }

  /**
   * Answers FAIL_SOLD_OUT locally. Skipped while the sale is closed to buyers, because its book may
   * be stale. Otherwise makes the {@link ReserveCall}.
   */
  Processor passGate(LongPredicate admitted, long outboxLimit) {
    return exchange -> {
      Purchase purchase = (Purchase) exchange.getMessage().getBody();
      if (gate.refuses(purchase.productId(), purchase.userId(), purchase.quantity())
          && admitted.test(purchase.productId())) {
        metrics.refused(Status.FAIL_SOLD_OUT.name(), purchase.productId());
        ExchangeAnswers.end(exchange, answers.soldOut(purchase, 0));
      } else {
        exchange.getMessage().setBody(new ReserveCall(purchase, outboxLimit));
      }
    };
  }

  Processor answerReserved() {
    return exchange -> {
      Purchase purchase = purchase(exchange);
      metrics.admitted(purchase.productId());
      admissions.note(purchase.requestId());
      ExchangeAnswers.put(exchange, answers.reserved(purchase));
      AwaitEndStep.expect(exchange, purchase);
    };
  }

  Processor answerReplay() {
    return exchange -> {
      Purchase purchase = purchase(exchange);
      metrics.replayed(purchase.productId());
      Replayed reply = reply(exchange);
      ExchangeAnswers.put(
          exchange,
          answers.replay(
              purchase, reply.requestId(), reply.status(), reply.orderId(), reply.reason()));
      if (!reply.status().isTerminal()) {
        AwaitEndStep.expect(exchange, purchase);
      }
    };
  }

  Processor answerKeyReused() {
    return refuse((KeyReused reply, Purchase purchase) -> answers.keyReused(purchase));
  }

  Processor answerAlreadyBought() {
    return refuse(
        (AlreadyBought reply, Purchase purchase) ->
            answers.alreadyBought(purchase, reply.requestId(), reply.key()));
  }

  Processor answerSoldOut() {
    return exchange -> {
      Purchase purchase = purchase(exchange);
      metrics.refused(Status.FAIL_SOLD_OUT.name(), purchase.productId());
      SoldOut reply = reply(exchange);
      if (reply.available() == 0) {
        gate.soldOut(purchase.productId());
      }
      ExchangeAnswers.put(exchange, answers.soldOut(purchase, reply.available()));
    };
  }

  Processor answerNotStarted() {
    return refuse(
        (NotStarted reply, Purchase purchase) ->
            answers.notStarted(purchase, reply.startsAt(), reply.now()));
  }

  Processor answerEnded() {
    return refuse((Ended reply, Purchase purchase) -> answers.ended(purchase));
  }

  Processor answerPaused() {
    return refuse((Paused reply, Purchase purchase) -> answers.paused(purchase));
  }

  Processor answerOverLimit() {
    return refuse(
        (OverLimit reply, Purchase purchase) -> answers.overLimit(purchase, reply.maxQuantity()));
  }

  /** Answers 503 because the outbox is full. */
  Processor answerOutboxFull() {
    return refuse((OutboxFull reply, Purchase purchase) -> PurchaseAnswers.degraded(purchase));
  }

  /**
   * Answers when Redis has no book: 503 when the node knows the sale, or has not read the list of
   * sales yet; else 404. When the sale is settled, lets the route go on to MySQL, which has what
   * the book had.
   */
  Processor answerNoBook(OrderQuestionSteps orders) {
    return step(
        exchange -> {
          Purchase purchase = purchase(exchange);
          long productId = purchase.productId();
          if (!sales.isSettled(productId)) {
            throw sales.isLoaded() && sales.find(productId).isEmpty()
                ? Refusals.unknownProduct()
                : PurchaseAnswers.degraded(purchase);
          }
          Lookup lookup = Lookup.of(purchase);
          if (orders.hasMissed(lookup, false)) {
            throw answers.ended(purchase);
          }
          exchange.setProperty(ResultSteps.LOOKUP, lookup);
          orders.ask(exchange, lookup, false);
        });
  }

  /** Answers a purchase of a settled sale from MySQL's rows: its key's answer, else FAIL_ENDED. */
  @SuppressWarnings("unchecked")
  Processor answerSettled(OrderQuestionSteps orders) {
    return step(
        exchange -> {
          Purchase purchase = purchase(exchange);
          List<FoundOrder> rows = exchange.getMessage().getBody(List.class);
          if (rows.isEmpty()) {
            orders.missed(exchange, Lookup.of(purchase), false);
            throw answers.ended(purchase);
          }
          FoundOrder order = rows.get(0);
          if (order.quantity() != purchase.quantity()) {
            throw answers.keyReused(purchase);
          }
          metrics.replayed(purchase.productId());
          ExchangeAnswers.put(
              exchange,
              answers.replay(
                  purchase, order.requestId(), order.status(), order.orderId(), order.reason()));
        });
  }

  /** Answers 503 because a server is away. Works without a {@link Purchase}, too. */
  Processor answerDegraded() {
    return exchange -> {
      Purchase purchase = purchase(exchange);
      if (purchase == null) {
        ExchangeAnswers.end(exchange, Problem.of(Refusals.degraded()));
        return;
      }
      metrics.refused(Refusals.degraded().code(), purchase.productId());
      ExchangeAnswers.end(exchange, Problem.of(PurchaseAnswers.degraded(purchase)));
    };
  }

  /**
   * Answers an exception of a step. Works without a {@link Purchase}, too; counts a purchase that
   * ends with 500.
   */
  Processor answerFault() {
    return exchange -> {
      Answer answer = FaultAnswers.answer(exchange);
      Purchase purchase = purchase(exchange);
      if (purchase != null && answer.status() == Refusals.internalError().status()) {
        metrics.refused(Refusals.internalError().code(), purchase.productId());
      }
      ExchangeAnswers.put(exchange, answer);
    };
  }

  private RefusableStep step(java.util.function.Consumer<Exchange> work) {
    return new RefusableStep(
        work,
        (exchange, refusal) -> {
          Purchase purchase = purchase(exchange);
          if (purchase == null) {
            metrics.refused(refusal.code());
          } else {
            metrics.refused(refusal.code(), purchase.productId());
          }
        });
  }

  private <R extends ReserveReply> Processor refuse(BiFunction<R, Purchase, Refusal> refusal) {
    return exchange -> {
      Purchase purchase = purchase(exchange);
      Refusal refused = refusal.apply(reply(exchange), purchase);
      metrics.refused(refused.code(), purchase.productId());
      ExchangeAnswers.put(exchange, Problem.of(refused));
    };
  }

  private static Purchase purchase(Exchange exchange) {
    return (Purchase) exchange.getProperty(PURCHASE);
  }

  /** The reply, whose type the route has checked before it calls the step. */
  @SuppressWarnings("unchecked")
  private static <R extends ReserveReply> R reply(Exchange exchange) {
    return (R) exchange.getMessage().getBody();
  }
}
