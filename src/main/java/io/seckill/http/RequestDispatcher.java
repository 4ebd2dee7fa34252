package io.seckill.http;

import io.seckill.answer.Problem;
import io.seckill.answer.Refusals;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sends each request to the event-loop route of its path and method, else to the router of Camel's
 * blocking engine. HEAD goes where GET goes; the server leaves out the body (RFC 9110, 9.3.2). The
 * dispatcher knows the paths of both engines, so a known path with another method is answered 405.
 * The more literal of two paths wins, whichever started first. While routes start or stop, all
 * requests are refused, because the right route may not be there.
 *
 * <p>Vert.x Web's router and body handler take 1.6 times as much CPU time on the event loop, for a
 * request whose route does nothing (1,860 against 1,160 ns, median of eight rounds): 0.7 µs more
 * for each purchase.
 */
public final class RequestDispatcher implements Handler<HttpServerRequest> {
  /** Takes a request on the event loop of its connection. */
  interface Target {
    void handle(HttpServerRequest request, Map<String, String> pathParameters);
  }

  /** A path that is served until the registration is closed. */
  interface Registration {
    void close();
  }

  private record Entry(PathTemplate path, Set<HttpMethod> methods, Target target) {}

  private final BooleanSupplier serving;
  private volatile Entry[] entries = {};
  private volatile Handler<HttpServerRequest> fallback = RequestDispatcher::refuse;

  /**
   * @param serving true while all routes are started
   */
  RequestDispatcher(BooleanSupplier serving) {
    this.serving = serving;
  }

  private static void refuse(HttpServerRequest request) {
    ServerAnswers.send(request, Problem.of(Refusals.unavailable()));
  }

  /**
   * Serves a path.
   *
   * @param methods empty for all
   * @param target null when the fallback serves this path; the dispatcher then only knows it
   */
  Registration register(String path, Set<HttpMethod> methods, Target target) {
    Entry entry = new Entry(new PathTemplate(path), methods, target);
    change(served -> Stream.concat(served, Stream.of(entry)));
    return () -> change(served -> served.filter(other -> other != entry));
  }

  /** Sets the handler of requests that no event-loop route takes. */
  void fallback(Handler<HttpServerRequest> handler) {
    this.fallback = handler;
  }

  private synchronized void change(UnaryOperator<Stream<Entry>> edit) {
    entries =
        edit.apply(Stream.of(entries))
            .sorted(Comparator.comparing(Entry::path))
            .toArray(Entry[]::new);
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (!serving.getAsBoolean()) {
      refuse(request);
      return;
    }
    String path = request.path();
    HttpMethod method = request.method();
    for (Entry entry : entries) {
      if (entry.target() != null && takes(entry, method)) {
        Map<String, String> parameters = entry.path().match(path);
        if (parameters != null) {
          entry.target().handle(request, parameters);
          return;
        }
      }
    }
    fallback.handle(request);
  }

  /** The methods of this path as an Allow header; empty when the path is unknown. */
  String allowed(String path) {
    Set<String> names = new TreeSet<>();
    for (Entry entry : entries) {
      if (entry.path().match(path) != null) {
        names.addAll(entry.methods().stream().map(HttpMethod::name).collect(Collectors.toSet()));
      }
    }
    if (names.contains(HttpMethod.GET.name())) {
      names.add(HttpMethod.HEAD.name());
    }
    return String.join(", ", names);
  }

  private static boolean takes(Entry entry, HttpMethod method) {
    return entry.methods().isEmpty()
        || entry.methods().contains(method)
        || method.equals(HttpMethod.HEAD) && entry.methods().contains(HttpMethod.GET);
  }
}
