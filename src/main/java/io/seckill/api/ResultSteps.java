package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.RefusableStep;
import io.seckill.api.ResultAnswers.Held;
import io.seckill.book.script.LookupReply;
import io.seckill.http.ClientAddress;
import io.seckill.http.Request;
import io.seckill.identity.Identity;
import io.seckill.rate.Rates;
import io.seckill.sale.SaleRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The steps of the routes for results and for the state of a sale. Exchange property {@link
 * #LOOKUP} holds the question, {@link #PRODUCTS} the products to ask.
 */
public final class ResultSteps {
  public static final String LOOKUP = "lookup";
  static final String PRODUCTS = "products";
  static final String UNCERTAIN = "uncertain";
  private static final String TRUST = "trust";

  private final SaleRegistry sales;
  private final ResultAnswers answers;
  private final Supplier<LongPredicate> trust;
  private final OrderQuestionSteps orders;
  private final Rates rates;
  private final PendingTime time;

  ResultSteps(
      SaleRegistry sales,
      Supplier<LongPredicate> trust,
      OrderQuestionSteps orders,
      Rates rates,
      PendingTime time) {
    this.sales = sales;
    this.time = time;
    this.rates = rates;
    this.trust = trust;
    this.answers = new ResultAnswers(sales);
    this.orders = orders;
  }

  /**
   * Identifies the buyer, or answers 401. A question whose identity must be verified takes a token
   * of its address's rate, as a purchase does, or is answered 429.
   */
  Processor identify(Identity identity, ClientAddress address) {
    return new IdentifyStep(
        identity,
        exchange -> {
          if (rates.limitsAddresses()) {
            Request request = (Request) exchange.getMessage().getBody();
            OrderQuestionSteps.require(exchange, rates.admitAddress(address.of(request)));
          }
        },
        refusal -> {});
  }

  /**
   * Notes which books are trusted now, and makes the calls of lookup.lua, one for each product. A
   * question over many sales costs Redis as many look-ups, so it takes a token of the user's rate,
   * as a purchase does, or is answered 429.
   */
  Processor read() {
    return step(
        exchange -> {
          Request request = (Request) exchange.getMessage().getBody();
          Lookup lookup =
              Lookup.read(request, exchange.getProperty(PurchaseSteps.USER_ID, Long.class));
          List<Long> products = lookup.products(sales);
          if (!lookup.isOfOneProduct()) {
            OrderQuestionSteps.require(exchange, rates.admit(lookup.userId()));
          }
          AwaitEndStep.note(exchange, Wait.read(request));
          ask(exchange, lookup, products);
        });
  }

  /**
   * Sets the question, notes which books are trusted now, and sets the body to the calls of
   * lookup.lua, one for each product.
   */
  void ask(Exchange exchange, Lookup lookup, List<Long> products) {
    exchange.setProperty(LOOKUP, lookup);
    exchange.setProperty(PRODUCTS, products);
    exchange.setProperty(TRUST, trust.get());
    exchange.getMessage().setBody(products.stream().map(lookup::call).toList());
  }

  /**
   * Answers from the books, and ends the route, unless the buyer waits for the end of a pending
   * purchase. When the books do not have the request, lets the route go on to MySQL as {@link
   * OrderQuestionSteps} allows.
   */
  @SuppressWarnings("unchecked")
  Processor answerFromBooks() {
    return step(
        exchange -> {
          Lookup lookup = lookup(exchange);
          List<Long> products = exchange.getProperty(PRODUCTS, List.class);
          List<LookupReply> replies = exchange.getMessage().getBody(List.class);
          LongPredicate trusted = exchange.getProperty(TRUST, LongPredicate.class);
          Optional<Held> held = answers.fromBooks(trusted, products, replies);
          if (held.isPresent()) {
            AwaitEndStep.answer(
                exchange, held.get().answer(), held.get().pending(lookup.userId()), time);
            return;
          }
          orders.ask(exchange, lookup, answers.isUncertain(trusted, products, replies));
        });
  }

  /**
   * Answers from MySQL's rows; else 503 while a book that may have the request is missing, else
   * 404.
   */
  @SuppressWarnings("unchecked")
  Processor answerFromOrders() {
    return step(
        exchange -> {
          List<FoundOrder> rows = exchange.getMessage().getBody(List.class);
          Optional<Answer> answer = answers.fromOrders(rows);
          if (answer.isEmpty()) {
            boolean uncertain = exchange.getProperty(UNCERTAIN, Boolean.class);
            orders.missed(exchange, lookup(exchange), uncertain);
            throw ResultAnswers.notFound(uncertain);
          }
          ExchangeAnswers.put(exchange, answer.get());
        });
  }

  /** Answers the state of the sale in the path. */
  Processor answerSale(SaleAnswers sale) {
    return step(
        exchange -> {
          Request request = (Request) exchange.getMessage().getBody();
          ExchangeAnswers.put(exchange, sale.sale(PurchaseReader.productId(request)));
        });
  }

  private static RefusableStep step(Consumer<Exchange> work) {
    return new RefusableStep(work, (exchange, refusal) -> {});
  }

  private static Lookup lookup(Exchange exchange) {
    return (Lookup) exchange.getProperty(LOOKUP);
  }
}
