package io.seckill.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** Another system: an HTTP server that keeps what it gets and answers as a test wants. */
final class Receiver implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private volatile Function<Received, Answer> answers;

  /** A request that came. */
  record Received(String path, HttpHeaders headers, String body) {
    String header(String name) {
      return headers.firstValue(name).orElseThrow();
    }

    String id() {
      return header("webhook-id");
    }

    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(body, e);
      }
    }
  }

  /** An answer without a body. */
  record Answer(int status, Map<String, String> headers) {
    static Answer of(int status) {
      return new Answer(status, Map.of());
    }
  }

  private Receiver(HttpServer server, Function<Received, Answer> answers) {
    this.server = server;
    this.answers = answers;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  static Receiver answering(int status) {
    return answering(request -> Answer.of(status));
  }

  static Receiver answering(Function<Received, Answer> answers) {
    try {
      return new Receiver(HttpServer.create(loopback(), 0), answers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Receiver withTls(SSLContext tls) {
    try {
      HttpsServer server = HttpsServer.create(loopback(), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls));
      return new Receiver(server, request -> Answer.of(204));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Received request =
          new Received(
              exchange.getRequestURI().toString(),
              HttpHeaders.of(exchange.getRequestHeaders(), (name, value) -> true),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      received.add(request);
      Answer answer = answers.apply(request);
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(answer.status(), -1);
      // without this the server closes the connection
      exchange.getResponseBody().close();
    }
  }

  void answer(Function<Received, Answer> from) {
    answers = from;
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/hooks";
  }

  List<Received> received() {
    return List.copyOf(received);
  }

  List<Received> received(String eventId) {
    return received.stream().filter(request -> request.id().equals(eventId)).toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
