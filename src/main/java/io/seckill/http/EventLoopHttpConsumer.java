package io.seckill.http;

import io.seckill.answer.FaultAnswers;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.impl.ContextInternal;
import java.util.Iterator;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.Suspendable;
import org.apache.camel.component.platform.http.PlatformHttpEndpoint;
import org.apache.camel.component.platform.http.spi.PlatformHttpConsumer;
import org.apache.camel.spi.HeaderFilterStrategy;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.MessageHelper;
import org.apache.camel.support.ObjectHelper;
import org.apache.camel.support.http.HttpUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs its route on the connection's event loop, and writes the response there, whichever thread
 * the route ends on. Every request gets one answer: an exception of the route becomes a problem
 * document.
 */
final class EventLoopHttpConsumer extends DefaultConsumer
    implements PlatformHttpConsumer, Suspendable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopHttpConsumer.class);

  private final RequestDispatcher dispatcher;
  private final int maxBodySize;
  private final HeaderFilterStrategy headerFilter;
  private RequestDispatcher.Registration registration;

  EventLoopHttpConsumer(
      PlatformHttpEndpoint endpoint,
      Processor processor,
      RequestDispatcher dispatcher,
      int maxBodySize) {
    super(endpoint, processor);
    this.dispatcher = dispatcher;
    this.maxBodySize = maxBodySize;
    this.headerFilter = endpoint.getHeaderFilterStrategy();
  }

  @Override
  public PlatformHttpEndpoint getEndpoint() {
    return (PlatformHttpEndpoint) super.getEndpoint();
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    registration =
        dispatcher.register(
            getEndpoint().getPath(), BlockingHttpEngine.methods(getEndpoint()), this::handle);
  }

  @Override
  protected void doStop() throws Exception {
    if (registration != null) {
      registration.close();
      registration = null;
    }
    super.doStop();
  }

  private void handle(HttpServerRequest http, Map<String, String> pathParameters) {
    if (isSuspended()) {
      ServerAnswers.send(http, Problem.of(Refusals.unavailable()));
      return;
    }
    BodyReader.read(http, maxBodySize, body -> process(http, pathParameters, body));
  }

  private void process(HttpServerRequest http, Map<String, String> pathParameters, Buffer body) {
    ContextInternal loop = ContextInternal.current();
    Exchange exchange = createExchange(false);
    try {
      exchange.setPattern(ExchangePattern.InOut);
      exchange
          .getIn()
          .setBody(
              new Request(
                  http.method().name(),
                  http.path(),
                  pathParameters,
                  http.headers(),
                  http.query(),
                  body,
                  http.remoteAddress(),
                  task -> http.response().closeHandler(closed -> task.run()),
                  () -> new EventStream(http, EventStream.PATIENCE_MILLIS)));
      createUoW(exchange);
    } catch (Exception e) {
      exchange.setException(e);
      answer(http, exchange);
      return;
    }
    getAsyncProcessor()
        .process(
            exchange,
            doneSync -> {
              if (loop.inThread()) {
                answer(http, exchange);
              } else {
                loop.runOnContext(ignored -> answer(http, exchange));
              }
            });
  }

  private void answer(HttpServerRequest http, Exchange exchange) {
    try {
      HttpServerResponse response = http.response();
      if (!response.ended() && !response.closed()) {
        write(http, exchange);
      }
    } catch (Exception e) {
      LOG.error("{} {}: the response cannot be written", http.method(), http.path(), e);
      ServerAnswers.send(http, Problem.of(Refusals.internalError()));
    } finally {
      doneUoW(exchange);
      releaseExchange(exchange, false);
    }
  }

  private void write(HttpServerRequest http, Exchange exchange) throws Exception {
    if (exchange.getException() != null) {
      ServerAnswers.send(http, FaultAnswers.answer(exchange));
      return;
    }
    Message message = exchange.getMessage();
    Buffer body = buffer(message);
    HttpServerResponse response = http.response();
    response.setStatusCode(HttpUtil.determineResponseCode(exchange, message.getBody()));
    for (Map.Entry<String, Object> header : message.getHeaders().entrySet()) {
      putHeader(response, exchange, header.getKey(), header.getValue());
    }
    String contentType = MessageHelper.getContentType(message);
    if (contentType != null) {
      response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
    }
    response.end(body);
  }

  private void putHeader(
      HttpServerResponse response, Exchange exchange, String name, Object value) {
    if (value instanceof String text) {
      if (headerFilter == null || !headerFilter.applyFilterToCamelHeaders(name, text, exchange)) {
        response.putHeader(name, text);
      }
      return;
    }
    Iterator<?> values = ObjectHelper.createIterator(value, null, true);
    HttpUtil.applyHeader(
        headerFilter,
        exchange,
        values,
        exchange.getContext().getTypeConverter(),
        name,
        (several, one) -> {
          if (several != null) {
            response.putHeader(name, several);
          } else if (one != null) {
            response.putHeader(name, one);
          }
        });
  }

  private static Buffer buffer(Message message) throws Exception {
    Object body = message.getBody();
    if (body instanceof byte[] bytes) {
      return Buffer.buffer(bytes);
    }
    if (body instanceof Buffer buffer) {
      return buffer;
    }
    if (body == null) {
      return Buffer.buffer();
    }
    return Buffer.buffer(message.getMandatoryBody(byte[].class));
  }
}
