package io.seckill.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A client's request: the message body at the entry of an event-loop route. None of it becomes a
 * message header, so a client cannot steer a component. Routes read the parts they need by name.
 */
public final class Request {
  private final String method;
  private final String path;
  private final Map<String, String> pathParameters;
  private final MultiMap headers;
  private final String query;
  private final Buffer body;
  private final SocketAddress remote;
  private final Consumer<Runnable> whenClosed;
  private final Supplier<EventStream> stream;

  /**
   * A request whose answer cannot be a stream.
   *
   * @param pathParameters by name, not decoded
   * @param query the part after the question mark, null when there is none
   * @param remote the other end of the connection
   * @param whenClosed runs what it is given when the client closes the connection
   */
  public Request(
      String method,
      String path,
      Map<String, String> pathParameters,
      MultiMap headers,
      String query,
      Buffer body,
      SocketAddress remote,
      Consumer<Runnable> whenClosed) {
    this(method, path, pathParameters, headers, query, body, remote, whenClosed, () -> null);
  }

  Request(
      String method,
      String path,
      Map<String, String> pathParameters,
      MultiMap headers,
      String query,
      Buffer body,
      SocketAddress remote,
      Consumer<Runnable> whenClosed,
      Supplier<EventStream> stream) {
    this.method = method;
    this.path = path;
    this.pathParameters = pathParameters;
    this.headers = headers;
    this.query = query;
    this.body = body;
    this.remote = remote;
    this.whenClosed = whenClosed;
    this.stream = stream;
  }

  public String method() {
    return method;
  }

  public String path() {
    return path;
  }

  /** The path parameter of this name, as sent; null when the path has none. */
  public String pathParameter(String name) {
    return pathParameters.get(name);
  }

  /** The header's value; null when there is none. */
  public String header(String name) {
    return headers.get(name);
  }

  /** All values of the header, in order. */
  public List<String> headers(String name) {
    return headers.getAll(name);
  }

  /**
   * The query's parameters, decoded.
   *
   * @throws Refusal 400 INVALID_REQUEST when the query is not valid percent-encoding
   */
  public Map<String, List<String>> query() {
    if (query == null || query.isEmpty()) {
      return Map.of();
    }
    try {
      return new QueryStringDecoder(query, false).parameters();
    } catch (IllegalArgumentException e) {
      throw Refusals.invalid("The query is not valid percent-encoding.");
    }
  }

  /** The body; empty when there was none. Do not write to it. */
  public Buffer body() {
    return body;
  }

  /** The IP address of the other end of the connection; null when it has none. */
  public String remoteAddress() {
    return remote.hostAddress();
  }

  /**
   * Runs this, on the event loop, when the client closes the connection before it has an answer.
   */
  public void whenClosed(Runnable task) {
    whenClosed.accept(task);
  }

  /**
   * A stream that is the answer once it has begun, in place of what the route answers. Call it on
   * the event loop.
   */
  public EventStream stream() {
    return stream.get();
  }

  /** Method and path only, because logs must not contain tokens. */
  @Override
  public String toString() {
    return method + " " + path;
  }
}
