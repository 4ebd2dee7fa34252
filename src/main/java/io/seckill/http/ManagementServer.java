package io.seckill.http;

import io.vertx.core.http.HttpServer;
import io.vertx.core.impl.VertxInternal;
import org.apache.camel.component.platform.http.main.ManagementHttpServer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpRouter;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServer;

/**
 * Camel's management server, whose connections are guarded as those of the main server are. Camel
 * offers no way to its connections, so a listener of our own takes its place: servers of one Vert.x
 * share an address.
 */
final class ManagementServer extends ManagementHttpServer {
  private final HttpEdge edge;
  private HttpListener listener;

  ManagementServer(HttpEdge edge) {
    this.edge = edge;
  }

  HttpEdge edge() {
    return edge;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    VertxPlatformHttpRouter router = getRouter();
    VertxPlatformHttpServer camels = router.getServer();
    listener =
        new HttpListener(
            ((VertxInternal) router.vertx()).createEventLoopContext(),
            edge,
            HttpListener.options(getConfiguration(), getCamelContext(), edge.limits()),
            camels.getServer().requestHandler());
    listener.listen(getPort(), getHost());
    HttpServer unguarded = camels.getServer();
    unguarded.close().toCompletionStage().toCompletableFuture().join();
  }

  @Override
  protected void doStop() throws Exception {
    if (listener != null) {
      listener.close();
      listener = null;
    }
    super.doStop();
  }
}
