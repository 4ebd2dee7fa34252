package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

    @Override
    protected void handleRequest(RoutingContext routing) {
      if (isSuspended()) {
        ServerAnswers.send(routing.request(), Problem.of(Refusals.unavailable()));
      } else {
        super.handleRequest(routing);
      }
    }
  }
}
