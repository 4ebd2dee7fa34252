package io.seckill.http;

import org.apache.camel.Processor;
import org.apache.camel.component.platform.http.PlatformHttpEndpoint;
import org.apache.camel.component.platform.http.spi.PlatformHttpConsumer;
import org.apache.camel.component.platform.http.spi.PlatformHttpEngine;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpEngine;

/**
 * A {@link PlatformHttpEngine} whose routes run on the event loop of the connection, without a
 * worker thread. Nothing in such a route may block; the message body at its entry is a {@link
 * Request}. An endpoint selects it with {@code platformHttpEngine}; it is never the default.
 */
public final class EventLoopHttpEngine extends VertxPlatformHttpEngine {
  private final int port;
  private final RequestDispatcher dispatcher;
  private final int maxBodySize;

  /**
   * @param port of the main server
   * @param maxBodySize bytes; a longer body is answered 413
   */
  public EventLoopHttpEngine(int port, RequestDispatcher dispatcher, int maxBodySize) {
    this.port = port;
    this.dispatcher = dispatcher;
    this.maxBodySize = maxBodySize;
  }

  /** Does not bind itself as the default engine, unlike its superclass. */
  @Override
  protected void doInit() {}

  @Override
  public int getServerPort() {
    return port;
  }

  /**
   * Makes a consumer on the event loop.
   *
   * @throws IllegalArgumentException for an endpoint that matches a URI prefix
   */
  @Override
  public PlatformHttpConsumer createConsumer(PlatformHttpEndpoint endpoint, Processor processor) {
    if (endpoint.isMatchOnUriPrefix() || endpoint.isHttpProxy()) {
      throw new IllegalArgumentException(
          "An event-loop route serves one path: " + endpoint.getEndpointUri());
    }
    return new EventLoopHttpConsumer(endpoint, processor, dispatcher, maxBodySize);
  }
}
