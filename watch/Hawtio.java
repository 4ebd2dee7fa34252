import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * Serves Hawtio's pages, by default on loopback, and passes what they ask of Jolokia on to one node
 * with that node's token. The node judges the page's origin, so no other site can use this as its
 * way in. Run by bin/hawtio.
 */
public final class Hawtio {
  private static final String BASE = "/hawtio/";
  private static final Set<String> VIEWS =
      Set.of("", "about", "camel", "connect", "help", "jmx", "login", "preferences", "runtime");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "json", "application/json",
          "svg", "image/svg+xml",
          "ico", "image/x-icon",
          "woff2", "font/woff2");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path pages;
  private final URI jolokia;
  private final Set<String> hosts;

  private Hawtio(Path pages, int port, URI jolokia) {
    this.pages = pages;
    this.jolokia = jolokia;
    this.hosts = Set.of("localhost:" + port, "127.0.0.1:" + port);
  }

  /** Arguments: the folder of the pages, the port, Jolokia's address, the address to listen at. */
  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(args[1]);
    Hawtio hawtio = new Hawtio(Path.of(args[0]).toRealPath(), port, URI.create(args[2]));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName(args[3]), port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", hawtio::handle);
    server.start();
    System.out.println("Hawtio of " + args[2] + ": http://localhost:" + port + BASE);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (!hosts.contains(exchange.getRequestHeaders().getFirst("Host"))) {
        send(exchange, 421, "text/plain", bytes("Not a name of this server"));
      } else if (path.equals(BASE + "jolokia") || path.startsWith(BASE + "jolokia/")) {
        pass(exchange);
      } else if (path.equals(BASE + "user")) {
        send(exchange, 200, "application/json", bytes("\"public\"")); // nobody logs in here
      } else if (path.startsWith(BASE)) {
        page(exchange, path.substring(BASE.length()));
      } else {
        exchange.getResponseHeaders().set("Location", BASE);
        send(exchange, 302, "text/plain", new byte[0]);
      }
    }
  }

  private void pass(HttpExchange exchange) throws IOException {
    String target = exchange.getRequestURI().toString();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(jolokia + target.substring((BASE + "jolokia").length())))
            .method(
                exchange.getRequestMethod(),
                BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : new String[] {"Origin", "Referer", "Content-Type"}) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    String token = System.getenv("SECKILL_MANAGEMENT_TOKEN");
    if (token != null) {
      request.header(
          "Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes("admin:" + token)));
    }
    try {
      HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
      String type = answer.headers().firstValue("Content-Type").orElse("application/json");
      send(exchange, answer.statusCode(), type, answer.body());
    } catch (IOException e) {
      send(exchange, 502, "text/plain", bytes(jolokia + " does not answer: " + e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A file, or for a view of Hawtio the page whose script reads the path. */
  private void page(HttpExchange exchange, String name) throws IOException {
    Path file = pages.resolve(name).normalize();
    if (!file.startsWith(pages) || !Files.isRegularFile(file)) {
      if (!VIEWS.contains(name.split("/")[0])) {
        send(exchange, 404, "text/plain", bytes("Not here"));
        return;
      }
      file = pages.resolve("index.html");
    }
    String end = file.toString().substring(file.toString().lastIndexOf('.') + 1);
    send(
        exchange,
        200,
        TYPES.getOrDefault(end, "application/octet-stream"),
        Files.readAllBytes(file));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
