package io.seckill.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.seckill.answer.Answer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The connections of one server: how many there are, what they may do, and what was rejected. Puts
 * a {@link ConnectionGuard} before each. Thread-safe.
 */
final class HttpEdge {
  private final String server;
  private final HttpLimits limits;
  private final RequestRules rules;
  private final AtomicInteger connections = new AtomicInteger();
  private final Map<Rejection, LongAdder> rejected = new EnumMap<>(Rejection.class);

  /**
   * @param server its name in metrics
   */
  HttpEdge(String server, HttpLimits limits, RequestRules rules) {
    this.server = server;
    this.limits = limits;
    this.rules = rules;
    for (Rejection reason : Rejection.values()) {
      rejected.put(reason, new LongAdder());
    }
  }

  HttpLimits limits() {
    return limits;
  }

  RequestRules rules() {
    return rules;
  }

  /**
   * Takes a new connection, on its event loop, or refuses it where there are too many.
   *
   * @param open the guards of the event loop
   */
  void admit(HttpConnection connection, Set<ConnectionGuard> open, HttpServerOptions options) {
    ConnectionBase base = (ConnectionBase) connection;
    base.exceptionHandler(ignored -> {});
    ChannelHandlerContext context = base.channelHandlerContext();
    if (connections.incrementAndGet() > limits.connections()) {
      connections.decrementAndGet();
      rejected(Rejection.CONNECTIONS);
      context
          .writeAndFlush(response(Rejection.CONNECTIONS))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    ConnectionGuard guard = new ConnectionGuard(this, open, options);
    context.pipeline().replace("httpDecoder", "httpDecoder", guard.decoder());
    context.pipeline().addBefore("handler", "guard", guard);
  }

  /** One that was taken is closed. */
  void closed() {
    connections.decrementAndGet();
  }

  /** Counts a request, or a connection, that was answered here. */
  void rejected(Rejection reason) {
    rejected.get(reason).increment();
  }

  /** What the client is answered. */
  static DefaultFullHttpResponse response(Rejection reason) {
    Answer answer = reason.answer();
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
        .set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    answer.headers().forEach(response.headers()::set);
    return response;
  }

  /** Shows them as {@code seckill_http_connections} and {@code seckill_http_rejected_total}. */
  void show(MeterRegistry meters) {
    Gauge.builder("seckill.http.connections", connections, AtomicInteger::get)
        .description("Connections that are open")
        .tag("server", server)
        .register(meters);
    rejected.forEach(
        (reason, count) ->
            FunctionCounter.builder("seckill.http.rejected", count, LongAdder::sum)
                .description("Requests and connections that the server refused before any route")
                .tag("server", server)
                .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                .register(meters));
  }
}
