package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.RefusableStep;
import io.seckill.answer.Refusals;
import io.seckill.book.script.LookupReply;
import io.seckill.http.ClientAddress;
import io.seckill.http.Request;
import io.seckill.identity.Identity;
import io.seckill.rate.Rates;
import io.seckill.rate.Standing;
import io.seckill.sale.SaleRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The steps of the routes that tell what became of a request, and how a sale stands. The question
 * is exchange property {@link #LOOKUP}, the products asked {@link #PRODUCTS}.
 */
public final class ResultSteps {
  public static final String LOOKUP = "lookup";
  static final String PRODUCTS = "products";
  public static final String UNCERTAIN = "uncertain";

  private final SaleRegistry sales;
  private final ResultAnswers answers;
  private final MissedLookups misses;
  private final Rates rates;

  ResultSteps(SaleRegistry sales, LongPredicate trusted, MissedLookups misses, Rates rates) {
    this.sales = sales;
    this.rates = rates;
    this.answers = new ResultAnswers(sales, trusted);
    this.misses = misses;
  }

  /**
   * Who asks, or 401. A question whose identity must be verified counts as a purchase does with the
   * rate of its address; else 429.
   */
  Processor identify(Identity identity, ClientAddress address) {
    return new IdentifyStep(
        identity,
        exchange -> {
          if (rates.limitsAddresses()) {
            Request request = (Request) exchange.getMessage().getBody();
            require(exchange, rates.admitAddress(address.of(request)));
          }
        },
        refusal -> {});
  }

  private static void require(Exchange exchange, Standing standing) {
    if (standing.isRefused()) {
      exchange.setProperty(ExchangeAnswers.STANDING, standing);
      throw Refusals.throttled(standing);
    }
  }

  /**
   * Makes the request the calls of lookup.lua, one a product asked. A question over many sales
   * costs Redis as many looks, so it counts as a purchase does with the user's rate; else 429.
   */
  Processor read() {
    return step(
        exchange -> {
          Request request = (Request) exchange.getMessage().getBody();
          Lookup lookup =
              Lookup.read(request, exchange.getProperty(PurchaseSteps.USER_ID, Long.class));
          List<Long> products = lookup.products(sales);
          if (!lookup.isOfOneProduct()) {
            require(exchange, rates.admit(lookup.userId()));
          }
          exchange.setProperty(LOOKUP, lookup);
          exchange.setProperty(PRODUCTS, products);
          exchange.getMessage().setBody(products.stream().map(lookup::call).toList());
        });
  }

  /**
   * Answers from the books. Where they hold nothing, and MySQL was not just asked in vain, makes
   * the parameters of the statement and lets the route go on.
   */
  @SuppressWarnings("unchecked")
  Processor answerFromBooks() {
    return step(
        exchange -> {
          Lookup lookup = lookup(exchange);
          List<Long> products = exchange.getProperty(PRODUCTS, List.class);
          List<LookupReply> replies = exchange.getMessage().getBody(List.class);
          Optional<Answer> answer = answers.fromBooks(products, replies);
          if (answer.isPresent()) {
            ExchangeAnswers.end(exchange, answer.get());
            return;
          }
          boolean uncertain = answers.isUncertain(products, replies);
          if (misses.contains(lookup)) {
            throw ResultAnswers.notFound(uncertain);
          }
          exchange.setProperty(UNCERTAIN, uncertain);
          exchange.getMessage().setBody(lookup.parameters());
        });
  }

  /** Answers from MySQL's rows, or 404, or 503 where a book is missing that may know more. */
  @SuppressWarnings("unchecked")
  Processor answerFromOrders() {
    return step(
        exchange -> {
          List<Map<String, Object>> rows = exchange.getMessage().getBody(List.class);
          Optional<Answer> answer = answers.fromOrders(rows);
          if (answer.isEmpty()) {
            misses.add(lookup(exchange));
            throw ResultAnswers.notFound(exchange.getProperty(UNCERTAIN, Boolean.class));
          }
          ExchangeAnswers.put(exchange, answer.get());
        });
  }

  /** How the sale of the path stands. */
  Processor answerSale(SaleAnswers sale) {
    return step(
        exchange -> {
          Request request = (Request) exchange.getMessage().getBody();
          ExchangeAnswers.put(exchange, sale.sale(PurchaseReader.productId(request)));
        });
  }

  private static RefusableStep step(Consumer<Exchange> work) {
    return new RefusableStep(work, refusal -> {});
  }

  private static Lookup lookup(Exchange exchange) {
    return (Lookup) exchange.getProperty(LOOKUP);
  }
}
