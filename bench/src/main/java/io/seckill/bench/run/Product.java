package io.seckill.bench.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A build of the application: one or more instances on the same servers, with monitoring and
 * throttle (at a rate that no run reaches).
 */
public final class Product implements Contender {
  /** The whole application. */
  public static final String FULL = "product";

  /** The whole application with strategy B. */
  public static final String STRATEGY_B = "product-b";

  /**
   * The request path alone, without relay and writer: it does the same work as baselines (a) and
   * (a2).
   */
  public static final String REQUEST_PATH = "product-front";

  /** {@link #FULL} of the build to compare with. */
  public static final String BEFORE = "before";

  /** {@link #REQUEST_PATH} of the build to compare with. */
  public static final String BEFORE_REQUEST_PATH = "before-front";

  private static final Set<String> REQUEST_PATHS = Set.of(REQUEST_PATH, BEFORE_REQUEST_PATH);
  private static final Set<String> BEFORES = Set.of(BEFORE, BEFORE_REQUEST_PATH);
  private static final int PUTS_AT_ONCE = 8;
  private static final String UNKNOWN_SALE = "/seckill/1";
  private static final String TOKEN = "benchmark";
  private static final String MAIN = "io.seckill.SeckillApplication";
  private static final Duration START_LIMIT = Duration.ofSeconds(120);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private final String name;
  private final List<Integer> ports;
  private final List<JavaProcess> processes;
  private final Backends backends;

  private Product(
      String name, List<Integer> ports, List<JavaProcess> processes, Backends backends) {
    this.name = name;
    this.ports = ports;
    this.processes = processes;
    this.backends = backends;
  }

  static Product start(String name, int instances, Launch launch, Namespace namespace)
      throws IOException, InterruptedException, SQLException {
    Build build = BEFORES.contains(name) ? launch.before().orElseThrow() : launch.product();
    Backends backends = new Backends(namespace, LedgerScript.of(build));
    Map<String, String> properties = new HashMap<>(namespace.properties());
    properties.put("seckill.admin.token", TOKEN);
    properties.put("seckill.http.host", "127.0.0.1");
    properties.put("seckill.throttle.product-rate", "1000000");
    properties.put("seckill.outbox.max-length", "100000000");
    properties.put("seckill.strategy", STRATEGY_B.equals(name) ? "B" : "A");
    if (REQUEST_PATHS.contains(name)) {
      properties.put("camel.main.routesExcludePattern", AFTER_THE_202);
    }
    List<Integer> ports = new ArrayList<>();
    List<JavaProcess> processes = new ArrayList<>();
    try {
      for (int i = 0; i < instances; i++) {
        int port = HandWritten.freePort();
        properties.put("seckill.http.port", Integer.toString(port));
        properties.put("seckill.management.port", Integer.toString(HandWritten.freePort()));
        ports.add(port);
        processes.add(
            JavaProcess.start(
                i == 0 ? name : name + "-" + (i + 1),
                build.classpath(),
                launch.flags(),
                properties,
                launch.directory(),
                MAIN));
      }
      for (int i = 0; i < instances; i++) {
        int port = ports.get(i);
        processes.get(i).awaitReady(() -> status(port, UNKNOWN_SALE) == 404, START_LIMIT);
      }
      return new Product(name, ports, processes, backends);
    } catch (IOException | InterruptedException e) {
      processes.forEach(JavaProcess::close);
      backends.close();
      throw e;
    }
  }

  /** The routes that run after the 202. A node with the request path alone lacks them. */
  private static final String AFTER_THE_202 =
      "**/outbox-relay*,**/order-writer*,**/dead-letter*,**/compensation*,**/sweeper*";

  /** The status of a GET; 0 without an answer. */
  private static int status(int port, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException notYet) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /** Opens a sale as an operator does, so each build uses its own layout. */
  private CompletableFuture<HttpResponse<String>> put(long productId, long stock) {
    String terms = "{\"name\":\"benchmark\",\"stock\":" + stock + "}";
    URI sale = URI.create("http://127.0.0.1:" + ports.get(0) + "/admin/sales/" + productId);
    HttpRequest request =
        HttpRequest.newBuilder(sale)
            .timeout(START_LIMIT)
            .header("Authorization", "Bearer " + TOKEN)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(terms))
            .build();
    return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString());
  }

  private void requireCreated(HttpResponse<String> answer) throws IOException {
    if (answer.statusCode() != 201) {
      throw new IOException(
          name + " answers " + answer.statusCode() + " to a new sale: " + answer.body());
    }
  }

  @Override
  public void openSales(long firstProduct, int products, long stock)
      throws IOException, InterruptedException, SQLException {
    List<CompletableFuture<HttpResponse<String>>> puts = new ArrayList<>();
    for (int i = 0; i < products; i++) {
      puts.add(put(firstProduct + i, stock));
      if (puts.size() == PUTS_AT_ONCE || i == products - 1) {
        for (CompletableFuture<HttpResponse<String>> put : puts) {
          requireCreated(put.join());
        }
        puts.clear();
      }
    }
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(i);
      String last = "/seckill/" + (firstProduct + products - 1);
      processes.get(i).awaitReady(() -> status(port, last) == 200, START_LIMIT);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Integer> ports() {
    return ports;
  }

  @Override
  public List<JavaProcess> processes() {
    return processes;
  }

  @Override
  public Backends backends() {
    return backends;
  }

  @Override
  public Traits traits() {
    return new Traits(true, !REQUEST_PATHS.contains(name), 202);
  }

  @Override
  public void close() throws SQLException {
    processes.forEach(JavaProcess::close);
    backends.close();
  }
}
