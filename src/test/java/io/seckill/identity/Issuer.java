package io.seckill.identity;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer's HTTP server on loopback; what it answers may change while it runs. */
public final class Issuer implements AutoCloseable {
  private final HttpServer server;
  private final String scheme;
  private final Map<String, HttpHandler> handlers = new ConcurrentHashMap<>();
  private final AtomicInteger fetches = new AtomicInteger();

  private Issuer(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.createContext("/", this::answer);
    server.start();
  }

  static Issuer open() throws IOException {
    return open(0);
  }

  static Issuer open(int port) throws IOException {
    return new Issuer(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0),
        "http");
  }

  /** One that speaks HTTPS; not bound nor started by the caller. */
  static Issuer of(HttpServer bound) {
    return new Issuer(bound, "https");
  }

  URI keys() {
    return at("/keys");
  }

  URI at(String path) {
    return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  /** How often something was asked for. */
  int fetches() {
    return fetches.get();
  }

  /** From now on this is at {@link #keys()}. */
  void publish(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    handlers.put(
        "/keys",
        http -> {
          http.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
          http.getResponseBody().write(bytes);
        });
  }

  void redirect(String path, int status, String target) {
    handlers.put(
        path,
        http -> {
          http.getResponseHeaders().add("Location", target);
          http.sendResponseHeaders(status, -1);
        });
  }

  private void answer(HttpExchange http) throws IOException {
    fetches.incrementAndGet();
    try (http) {
      HttpHandler handler = handlers.get(http.getRequestURI().getPath());
      if (handler == null) {
        http.sendResponseHeaders(404, -1);
      } else {
        handler.handle(http);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
