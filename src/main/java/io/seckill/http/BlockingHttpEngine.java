package io.seckill.http;

import static org.apache.camel.util.CollectionHelper.appendEntry;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextDecorator;
import io.vertx.ext.web.impl.RoutingContextInternal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.component.platform.http.PlatformHttpEndpoint;
import org.apache.camel.component.platform.http.spi.Method;
import org.apache.camel.component.platform.http.spi.PlatformHttpConsumer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpConsumer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpEngine;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpRouter;

/**
 * Camel's own engine, for routes that may block: each request runs on a worker thread. It names its
 * port, because Camel only guesses when two servers run, and it registers its paths with the
 * dispatcher.
 */
public final class BlockingHttpEngine extends VertxPlatformHttpEngine {
  /**
   * The variable that holds the query's parameters by name: a text, or a list where it came again.
   */
  public static final String QUERY = "query";

  /** The variable that holds the {@link Operator} of an administrative call. */
  public static final String OPERATOR = "operator";

  private final int port;
  private final RequestDispatcher dispatcher;

  public BlockingHttpEngine(int port, RequestDispatcher dispatcher) {
    this.port = port;
    this.dispatcher = dispatcher;
  }

  @Override
  public int getServerPort() {
    return port;
  }

  @Override
  public PlatformHttpConsumer createConsumer(PlatformHttpEndpoint endpoint, Processor processor) {
    return new BlockingHttpConsumer(endpoint, processor, port, dispatcher);
  }

  /** The methods an endpoint takes; empty means all. */
  static Set<HttpMethod> methods(PlatformHttpEndpoint endpoint) {
    Set<Method> methods = Method.parseList(endpoint.getHttpMethodRestrict());
    if (methods.equals(Method.getAll())) {
      return Set.of();
    }
    return methods.stream()
        .map(method -> HttpMethod.valueOf(method.name()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static final class BlockingHttpConsumer extends VertxPlatformHttpConsumer {
    private final RequestDispatcher dispatcher;
    private RequestDispatcher.Registration registration;

    BlockingHttpConsumer(
        PlatformHttpEndpoint endpoint,
        Processor processor,
        int port,
        RequestDispatcher dispatcher) {
      super(endpoint, processor, List.of(), VertxPlatformHttpRouter.getRouterNameFromPort(port));
      this.dispatcher = dispatcher;
    }

    @Override
    protected void doStart() throws Exception {
      super.doStart();
      if (!getEndpoint().isMatchOnUriPrefix()) {
        registration = dispatcher.register(getEndpoint().getPath(), methods(getEndpoint()), null);
      }
    }

    @Override
    protected void doStop() throws Exception {
      if (registration != null) {
        registration.close();
        registration = null;
      }
      super.doStop();
    }

    /**
     * Makes headers of what the client sent as headers, and of the path's parameters, only: Camel
     * would make them of the query too. The query's parameters are the variable {@value #QUERY}.
     */
    @Override
    protected Future<Void> populateCamelMessage(
        RoutingContext routing, Exchange exchange, Message message) {
      Map<String, Object> query = new HashMap<>();
      routing.queryParams().forEach((name, value) -> appendEntry(query, name, value));
      exchange.setVariable(QUERY, query);
      Operator operator = AdminGuard.operator(routing.request());
      if (operator != null) {
        exchange.setVariable(OPERATOR, operator);
      }
      Future<Void> populated =
          super.populateCamelMessage(new WithoutQuery(routing), exchange, message);
      routing.pathParams().forEach(message::setHeader);
      return populated;
    }

    @Override
    protected void handleRequest(RoutingContext routing) {
      if (isSuspended()) {
        ServerAnswers.send(routing.request(), Problem.of(Refusals.unavailable()));
      } else {
        super.handleRequest(routing);
      }
    }
  }

  private static final class WithoutQuery extends RoutingContextDecorator {
    WithoutQuery(RoutingContext routing) {
      super(routing.currentRoute(), (RoutingContextInternal) routing);
    }

    @Override
    public MultiMap queryParams() {
      return MultiMap.caseInsensitiveMultiMap();
    }
  }
}
