package io.seckill.http;

import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.impl.ContextInternal;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.camel.CamelContext;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.component.vertx.common.VertxHelper;
import org.apache.camel.support.jsse.SSLContextParameters;

/** One event loop that listens on an address. Several may listen on the same. */
final class HttpListener {
  private static final int BACKLOG = 4096;
  private static final int CLOCK_MILLIS = 500;

  private final ContextInternal loop;
  private final HttpServer server;
  private final Set<ConnectionGuard> open = new HashSet<>();
  private long clock;

  HttpListener(
      ContextInternal loop,
      HttpEdge edge,
      HttpServerOptions options,
      Handler<HttpServerRequest> requests) {
    this.loop = loop;
    this.server =
        loop.owner()
            .createHttpServer(options)
            .requestHandler(requests)
            .connectionHandler(connection -> edge.admit(connection, open, options));
  }

  /** What a server of this configuration speaks: HTTP/1, perhaps under TLS. */
  static HttpServerOptions options(
      VertxPlatformHttpServerConfiguration configuration, CamelContext context, HttpLimits limits)
      throws Exception {
    HttpServerOptions options =
        new HttpServerOptions()
            .setAcceptBacklog(BACKLOG)
            .setReadIdleTimeout(limits.idleSeconds())
            .setMaxHeaderSize(limits.headerSize())
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setHttp2ClearTextEnabled(false);
    SSLContextParameters ssl = configuration.getSslContextParameters();
    if (ssl == null && configuration.isUseGlobalSslContextParameters()) {
      ssl = context.getSSLContextParameters();
    }
    if (ssl != null) {
      VertxHelper.setupSSLOptions(context, ssl, options);
    }
    return options;
  }

  /**
   * Listens.
   *
   * @throws IllegalStateException when the address cannot be had
   */
  void listen(int port, String host) {
    Promise<HttpServer> listening = Promise.promise();
    loop.runOnContext(
        ignored -> {
          clock = loop.setPeriodic(CLOCK_MILLIS, id -> judgeTimes());
          server.listen(port, host).onComplete(listening);
        });
    try {
      listening.future().toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw new IllegalStateException(
          "Cannot listen on " + host + ":" + port + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  private void judgeTimes() {
    long now = System.nanoTime();
    Set.copyOf(open).forEach(guard -> guard.judgeTime(now));
  }

  /** The server of this event loop. */
  HttpServer server() {
    return server;
  }

  /** Listens no more. */
  void close() {
    loop.owner().cancelTimer(clock);
    server.close().toCompletionStage().toCompletableFuture().join();
  }
}
