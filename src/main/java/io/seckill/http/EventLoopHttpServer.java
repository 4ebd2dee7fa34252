package io.seckill.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpRouter;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.spi.Registry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main HTTP server: one listener for each event loop, all on the same port, so that connections
 * spread over the loops. Requests go through an {@link Entrance} and the {@link RequestDispatcher}:
 * directly to event-loop routes, otherwise to Camel's router. A request that reaches no route gets
 * a problem document. Administration may have an address of its own.
 */
public final class EventLoopHttpServer extends VertxPlatformHttpServer {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopHttpServer.class);

  private static final int ATTEMPTS_PER_LOOP = 16;

  private final VertxPlatformHttpServerConfiguration configuration;
  private final Vertx vertx;
  private final RequestDispatcher dispatcher;
  private final Listener main;
  private final Listener administration;
  private final HttpEdge edge;
  private final int loops;
  private final ServerRefusals refusals;
  private final List<HttpListener> listeners = new ArrayList<>();

  /** An address and the handler of its requests. */
  record Listener(String host, int port, Handler<HttpServerRequest> entrance) {}

  /**
   * @param entrance the handler at the configured address
   * @param administration a second address; null for none
   * @param loops how many event loops listen
   * @throws IllegalArgumentException when the port is 0, or there is a context path
   */
  EventLoopHttpServer(
      VertxPlatformHttpServerConfiguration configuration,
      CamelContext context,
      Vertx vertx,
      RequestDispatcher dispatcher,
      Handler<HttpServerRequest> entrance,
      Listener administration,
      HttpEdge edge,
      int loops) {
    super(configuration);
    if (configuration.getBindPort() <= 0) {
      throw new IllegalArgumentException("camel.server.port must be a port, not 0");
    }
    if (!"/".equals(configuration.getPath())) {
      throw new IllegalArgumentException("camel.server.path is not supported");
    }
    setCamelContext(context);
    this.configuration = configuration;
    this.vertx = vertx;
    this.dispatcher = dispatcher;
    this.main = new Listener(configuration.getBindHost(), configuration.getBindPort(), entrance);
    this.administration = administration;
    this.edge = edge;
    this.loops = loops;
    this.refusals = new ServerRefusals(context, dispatcher);
  }

  @Override
  protected Vertx lookupVertx() {
    return vertx;
  }

  @Override
  public HttpServer getServer() {
    return listeners.isEmpty() ? null : listeners.get(0).server();
  }

  /** Of all addresses and event loops. */
  List<HttpServer> servers() {
    return listeners.stream().map(HttpListener::server).toList();
  }

  @Override
  public int getPort() {
    return configuration.getBindPort();
  }

  /** Replaces Camel's router with one that reads no forms and refuses with problems. */
  @Override
  protected void initializeServer() {
    super.initializeServer();
    String name = VertxPlatformHttpRouter.getRouterNameFromPort(configuration.getPort());
    VertxPlatformHttpRouter router = VertxPlatformHttpRouter.lookup(getCamelContext(), name);
    refusals.install(router);
    Registry registry = getCamelContext().getRegistry();
    // a second bean of the name would not be found
    registry.unbind(name);
    registry.bind(
        name,
        new VertxPlatformHttpRouter(this, vertx, router, name) {
          @Override
          public Handler<RoutingContext> bodyHandler() {
            return EventLoopHttpServer.this::readBody;
          }
        });
    dispatcher.fallback(router);
  }

  private void readBody(RoutingContext routing) {
    BodyReader.read(
        routing.request(),
        configuration.getMaxBodySize().intValue(),
        body -> {
          if (body.length() > 0) {
            ((RoutingContextInternal) routing).setBody(body);
          }
          routing.next();
        });
  }

  @Override
  protected void startServer() throws Exception {
    HttpServerOptions options =
        HttpListener.options(configuration, getCamelContext(), edge.limits());
    List<ContextInternal> contexts = distinctLoops();
    for (ContextInternal context : contexts) {
      listen(context, options, main);
    }
    LOG.info("HTTP server on {}:{}, {} event loop(s)", main.host(), main.port(), contexts.size());
    if (administration != null) {
      listen(contexts.get(0), options, administration);
      LOG.info("Administration on {}:{}", administration.host(), administration.port());
    }
  }

  private void listen(ContextInternal context, HttpServerOptions options, Listener address) {
    HttpListener listener = new HttpListener(context, edge, options, address.entrance());
    listener.listen(address.port(), address.host());
    listeners.add(listener);
  }

  private List<ContextInternal> distinctLoops() {
    VertxInternal internal = (VertxInternal) vertx;
    Set<Object> seen = new HashSet<>();
    List<ContextInternal> contexts = new ArrayList<>();
    for (int i = 0; contexts.size() < loops && i < loops * ATTEMPTS_PER_LOOP; i++) {
      ContextInternal context = internal.createEventLoopContext();
      if (seen.add(context.nettyEventLoop())) {
        contexts.add(context);
      }
    }
    return contexts;
  }

  @Override
  protected void stopServer() {
    listeners.forEach(HttpListener::close);
    listeners.clear();
  }
}
