package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.Problem;
import io.seckill.answer.RefusableStep;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.http.EventStream;
import io.seckill.http.Request;
import io.seckill.rate.Rates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.AggregationStrategy;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.support.AsyncProcessorSupport;

/** The steps of the route that streams to a buyer what becomes of his requests. */
final class StreamSteps {
  private static final String REQUEST = "request";
  private static final String STREAM = "stream";
  private static final Answer NOTHING_MORE =
      new Answer(204, EventStream.MEDIA_TYPE, Map.of(), new byte[0]);
  private static final Answer HEAD = new Answer(200, EventStream.MEDIA_TYPE, Map.of(), new byte[0]);
  private static final Refusal TOO_MANY =
      Refusal.of(503, "TOO_MANY_STREAMS", "This node has as many streams as it may.")
          .retryAfter(Refusals.RETRY_SECONDS);

  private final ResultSteps questions;
  private final Rates rates;
  private final Waiters waiters;
  private final int seconds;

  /**
   * @param questions asks for one request
   * @param seconds how long a stream lasts at most
   */
  StreamSteps(ResultSteps questions, Rates rates, Waiters waiters, int seconds) {
    this.questions = questions;
    this.rates = rates;
    this.waiters = waiters;
    this.seconds = seconds;
  }

  /**
   * Sets the body to the questions. They cost as much as several look-ups, so together they take a
   * token of the user's rate, or are answered 429.
   */
  Processor read() {
    return new RefusableStep(
        exchange -> {
          Request request = (Request) exchange.getMessage().getBody();
          long userId = exchange.getProperty(PurchaseSteps.USER_ID, Long.class);
          List<Lookup> lookups = Lookup.readAll(request, userId);
          OrderQuestionSteps.require(exchange, rates.admit(userId));
          exchange.setProperty(REQUEST, request);
          exchange.setProperty(STREAM, request.stream());
          exchange.getMessage().setBody(lookups);
        },
        (exchange, refusal) -> {});
  }

  /** Makes the question in the body one for a buyer who waits. */
  Processor ask() {
    return exchange -> {
      Lookup lookup = (Lookup) exchange.getMessage().getBody();
      AwaitEndStep.note(exchange, new Wait(seconds, false, task -> {}));
      questions.ask(exchange, lookup, List.of(lookup.productId()));
    };
  }

  /** Makes a list of what is known of each request. */
  AggregationStrategy collect() {
    return (all, one) -> {
      List<Asked> asked = all == null ? new ArrayList<>() : new ArrayList<>(list(all.getMessage()));
      asked.add(new Asked(answer(one), AwaitEndStep.expected(one).orElse(null)));
      one.setRouteStop(false);
      one.getMessage().removeHeaders("*");
      one.getMessage().setBody(asked);
      return one;
    };
  }

  private static Answer answer(Exchange exchange) {
    Message message = exchange.getMessage();
    Map<String, String> headers = new LinkedHashMap<>();
    message.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
    headers.remove(Exchange.HTTP_RESPONSE_CODE);
    headers.remove(Exchange.CONTENT_TYPE);
    return new Answer(
        message.getHeader(Exchange.HTTP_RESPONSE_CODE, Integer.class),
        message.getHeader(Exchange.CONTENT_TYPE, String.class),
        headers,
        message.getBody(byte[].class));
  }

  @SuppressWarnings("unchecked")
  private static List<Asked> list(Message message) {
    return (List<Asked>) message.getBody();
  }

  /**
   * Streams. Answers as the first refused question was answered, if one was; 204 when the reader
   * was told everything; 503 when too many wait.
   */
  AsyncProcessor stream() {
    return new AsyncProcessorSupport() {
      @Override
      public boolean process(Exchange exchange, AsyncCallback callback) {
        List<Asked> asked = list(exchange.getMessage());
        Optional<Asked> refused = asked.stream().filter(each -> !each.isKnown()).findFirst();
        if (refused.isPresent()) {
          ExchangeAnswers.put(exchange, refused.get().answer());
          callback.done(true);
          return true;
        }
        // MySQL may have been asked, on another thread
        exchange.getProperty(STREAM, EventStream.class).run(() -> begin(exchange, asked, callback));
        return false;
      }
    };
  }

  private void begin(Exchange exchange, List<Asked> asked, AsyncCallback callback) {
    Request request = exchange.getProperty(REQUEST, Request.class);
    ResultStream stream =
        new ResultStream(
            asked,
            request.header("Last-Event-ID"),
            exchange.getProperty(STREAM, EventStream.class));
    if (stream.isTold()) {
      ExchangeAnswers.put(exchange, NOTHING_MORE);
    } else if (request.method().equals("HEAD")) {
      ExchangeAnswers.put(exchange, HEAD);
    } else if (stream.begin(waiters, seconds, () -> callback.done(false))) {
      return;
    } else {
      ExchangeAnswers.put(exchange, Problem.of(TOO_MANY));
    }
    callback.done(false);
  }
}
