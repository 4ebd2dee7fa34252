package io.seckill.minimal;

import io.seckill.answer.Answer;
import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.RefusableStep;
import io.seckill.answer.Refusals;
import io.seckill.api.AwaitEndStep;
import io.seckill.api.Lookup;
import io.seckill.api.OrderQuestionSteps;
import io.seckill.api.PendingTime;
import io.seckill.api.PurchaseAnswers;
import io.seckill.api.PurchaseSteps;
import io.seckill.api.ResultAnswers;
import io.seckill.api.ResultSteps;
import io.seckill.domain.Purchase;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.minimal.OrderQueue.Known;
import io.seckill.sale.Phase;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The steps that replace Redis in minimal mode, in the routes for purchases and results. They use
 * this node's {@link OrderQueue} and list of sales.
 */
final class QueueSteps {
  private final OrderQueue queue;
  private final SaleRegistry sales;
  private final SeckillMetrics metrics;
  private final OrderQuestionSteps questions;
  private final Clock clock;
  private final PendingTime time;
  private final PurchaseAnswers answers;

  /**
   * @param questions lets look-ups go on to MySQL
   */
  QueueSteps(
      OrderQueue queue,
      SaleRegistry sales,
      SeckillMetrics metrics,
      OrderQuestionSteps questions,
      Clock clock,
      PendingTime time) {
    this.time = time;
    this.answers = new PurchaseAnswers(time);
    this.queue = queue;
    this.sales = sales;
    this.metrics = metrics;
    this.questions = questions;
    this.clock = clock;
  }

  /**
   * Answers a known key with its replay, or with 422, and a buyer who is known to have the product
   * under another key with 409.
   */
  Processor recall() {
    return step(
        exchange -> {
          Purchase purchase = purchase(exchange);
          queue
              .find(purchase)
              .or(() -> queue.held(purchase))
              .ifPresent(known -> answerHeld(exchange, purchase, known));
        });
  }

  private void answerHeld(Exchange exchange, Purchase purchase, Known known) {
    Purchase held = known.purchase();
    if (held.requestId().equals(purchase.requestId())) {
      replay(exchange, purchase, known);
    } else if (known.status() == Status.FAIL_DUPLICATE) {
      throw answers.alreadyBought(purchase, null, null);
    } else {
      throw answers.alreadyBought(purchase, held.requestId(), held.idemKey());
    }
  }

  /** Refuses what the sale does not allow now, as far as this node knows. */
  Processor judge() {
    return step(
        exchange -> {
          Purchase purchase = purchase(exchange);
          Sale sale = sale(purchase);
          long now = clock.millis();
          switch (Phase.of(sale, null, now)) {
            case ENDED -> throw answers.ended(purchase);
            case PAUSED -> throw answers.paused(purchase);
            case SCHEDULED -> throw answers.notStarted(purchase, sale.startsAt(), now);
            case ON_SALE, SOLD_OUT -> {
              requireAllowed(purchase, sale);
              refuseSoldOut(exchange, purchase, sale);
            }
          }
        });
  }

  /**
   * Refuses a purchase for which MySQL had too few units when this node last looked. Since then the
   * number can only have fallen, unless units were added: then the sale has more units than that
   * look showed.
   */
  private void refuseSoldOut(Exchange exchange, Purchase purchase, Sale sale) {
    sales
        .book(sale.productId())
        .filter(seen -> seen.moves() >= sale.stock() + sale.restocked())
        .filter(seen -> seen.available() < purchase.quantity())
        .ifPresent(
            seen -> {
              metrics.refused(Status.FAIL_SOLD_OUT.name(), purchase.productId());
              ExchangeAnswers.end(exchange, answers.soldOut(purchase, seen.available()));
            });
  }

  private Sale sale(Purchase purchase) {
    return sales
        .find(purchase.productId())
        .orElseThrow(
            () ->
                sales.isLoaded() ? Refusals.unknownProduct() : PurchaseAnswers.degraded(purchase));
  }

  /**
   * Refuses a sale that was begun in full mode, too, because MySQL's stock does not tell its units
   * left.
   */
  private void requireAllowed(Purchase purchase, Sale sale) {
    if (sales.isSettled(sale.productId())) {
      throw answers.ended(purchase);
    }
    if (purchase.quantity() > sale.maxQuantity()) {
      throw answers.overLimit(purchase, sale.maxQuantity());
    }
    if (sale.preheated()) {
      throw PurchaseAnswers.degraded(purchase);
    }
  }

  /** Queues the purchase, or answers 503 when too many wait. */
  Processor queue() {
    return step(
        exchange -> {
          Purchase purchase = purchase(exchange);
          try {
            queue
                .offer(purchase, sale(purchase).epoch())
                .ifPresent(known -> answerHeld(exchange, purchase, known));
          } catch (RejectedExecutionException full) {
            throw PurchaseAnswers.degraded(purchase);
          }
        });
  }

  private void replay(Exchange exchange, Purchase purchase, Known known) {
    if (known.purchase().quantity() != purchase.quantity()) {
      throw answers.keyReused(purchase);
    }
    metrics.replayed(purchase.productId());
    ExchangeAnswers.end(
        exchange,
        answers.replay(
            purchase, purchase.requestId(), known.status(), known.orderId(), known.reason()));
  }

  /**
   * Answers from memory, and ends the route, unless the buyer waits for the end of a pending
   * purchase. When memory does not have the request, lets the route go on to MySQL as {@link
   * OrderQuestionSteps} allows.
   */
  Processor answer() {
    return new RefusableStep(
        exchange -> {
          Lookup lookup = (Lookup) exchange.getProperty(ResultSteps.LOOKUP);
          List<Known> found =
              requestIds(lookup).map(queue::find).flatMap(Optional::stream).toList();
          if (found.size() > 1) {
            throw ResultAnswers.ambiguous();
          }
          if (!found.isEmpty()) {
            Known known = found.get(0);
            AwaitEndStep.answer(
                exchange,
                answer(known),
                Optional.of(known.purchase()).filter(asked -> !known.status().isTerminal()),
                time);
            return;
          }
          questions.ask(exchange, lookup, !sales.isLoaded());
        },
        (exchange, refusal) -> {});
  }

  private Stream<RequestId> requestIds(Lookup lookup) {
    if (lookup.isOfOneProduct()) {
      return RequestId.parse(lookup.requestId()).stream();
    }
    return sales.all().stream()
        .map(sale -> RequestId.of(sale.productId(), lookup.userId(), lookup.idemKey()));
  }

  private static Answer answer(Known known) {
    Purchase purchase = known.purchase();
    return Answer.json(
        200,
        PurchaseAnswers.outcome(
            purchase.requestId(),
            purchase.idemKey(),
            purchase.productId(),
            known.status(),
            known.orderId(),
            known.reason()));
  }

  private RefusableStep step(Consumer<Exchange> work) {
    return new RefusableStep(
        work,
        (exchange, refusal) -> metrics.refused(refusal.code(), purchase(exchange).productId()));
  }

  private static Purchase purchase(Exchange exchange) {
    return (Purchase) exchange.getProperty(PurchaseSteps.PURCHASE);
  }
}
