package io.seckill.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.camel.CamelContext;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpRouter;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.component.vertx.common.VertxHelper;
import org.apache.camel.support.jsse.SSLContextParameters;
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
  private static final int BACKLOG = 4096;

  private final VertxPlatformHttpServerConfiguration configuration;
  private final Vertx vertx;
  private final RequestDispatcher dispatcher;
  private final Listener main;
  private final Listener administration;
  private final int loops;
  private final int idleSeconds;
  private final int maxHeaderSize;
  private final ServerRefusals refusals;
  private final List<HttpServer> servers = new ArrayList<>();

  /** An address and the handler of its requests. */
  record Listener(String host, int port, Handler<HttpServerRequest> entrance) {}

  /**
   * @param entrance the handler at the configured address
   * @param administration a second address; null for none
   * @param loops how many event loops listen
   * @param idleSeconds seconds without incoming data after which a connection is closed
   * @param maxHeaderSize bytes of all headers of a request; more are answered 431
   * @throws IllegalArgumentException when the port is 0, or there is a context path
   */
  EventLoopHttpServer(
      VertxPlatformHttpServerConfiguration configuration,
      CamelContext context,
      Vertx vertx,
      RequestDispatcher dispatcher,
      Handler<HttpServerRequest> entrance,
      Listener administration,
      int loops,
      int idleSeconds,
      int maxHeaderSize) {
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
    this.loops = loops;
    this.idleSeconds = idleSeconds;
    this.maxHeaderSize = maxHeaderSize;
    this.refusals = new ServerRefusals(context, dispatcher);
  }

  @Override
  protected Vertx lookupVertx() {
    return vertx;
  }

  @Override
  public HttpServer getServer() {
    return servers.isEmpty() ? null : servers.get(0);
  }

  /** Of all addresses and event loops. */
  List<HttpServer> servers() {
    return List.copyOf(servers);
  }

  @Override
  public int getPort() {
    return configuration.getBindPort();
  }

  /** Replaces Camel's router with one that writes no uploads to disk and refuses with problems. */
  @Override
  protected void initializeServer() {
    super.initializeServer();
    String name = VertxPlatformHttpRouter.getRouterNameFromPort(configuration.getPort());
    VertxPlatformHttpRouter router = VertxPlatformHttpRouter.lookup(getCamelContext(), name);
    refusals.install(router);
    getCamelContext()
        .getRegistry()
        .bind(
            name,
            new VertxPlatformHttpRouter(this, vertx, router, name) {
              @Override
              public Handler<RoutingContext> bodyHandler() {
                return bodyHandlerWithoutUploads();
              }
            });
    dispatcher.fallback(router);
  }

  private Handler<RoutingContext> bodyHandlerWithoutUploads() {
    BodyHandler handler = BodyHandler.create(false).setMergeFormAttributes(false);
    if (configuration.getMaxBodySize() != null) {
      handler.setBodyLimit(configuration.getMaxBodySize());
    }
    return routing -> {
      routing.request().resume();
      handler.handle(routing);
    };
  }

  @Override
  protected void startServer() throws Exception {
    HttpServerOptions options = options();
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

  private void listen(ContextInternal context, HttpServerOptions options, Listener listener) {
    HttpServer server =
        vertx
            .createHttpServer(options)
            .requestHandler(listener.entrance())
            .invalidRequestHandler(refusals::refuseInvalid);
    io.vertx.core.Promise<HttpServer> listening = io.vertx.core.Promise.promise();
    context.runOnContext(
        ignored -> server.listen(listener.port(), listener.host()).onComplete(listening));
    try {
      listening.future().toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw new IllegalStateException(
          "Cannot listen on "
              + listener.host()
              + ":"
              + listener.port()
              + ": "
              + e.getCause().getMessage(),
          e.getCause());
    }
    servers.add(server);
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

  private HttpServerOptions options() throws Exception {
    HttpServerOptions options =
        new HttpServerOptions()
            .setAcceptBacklog(BACKLOG)
            .setReadIdleTimeout(idleSeconds)
            .setMaxHeaderSize(maxHeaderSize)
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setHttp2ClearTextEnabled(false);
    SSLContextParameters ssl = configuration.getSslContextParameters();
    if (ssl == null && configuration.isUseGlobalSslContextParameters()) {
      ssl = getCamelContext().getSSLContextParameters();
    }
    if (ssl != null) {
      VertxHelper.setupSSLOptions(getCamelContext(), ssl, options);
    }
    return options;
  }

  @Override
  protected void stopServer() {
    for (HttpServer server : servers) {
      server.close().toCompletionStage().toCompletableFuture().join();
    }
    servers.clear();
  }
}
