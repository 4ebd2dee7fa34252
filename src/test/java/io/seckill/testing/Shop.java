package io.seckill.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;

/** What buyers and administrators do over HTTP. Thread-safe. */
public final class Shop {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  private final String baseUrl;
  private final String adminToken;

  public Shop(String baseUrl, String adminToken) {
    this.baseUrl = baseUrl;
    this.adminToken = adminToken;
  }

  /**
   * An answer.
   *
   * @param json the body, a missing node when it is not JSON
   * @param text the body as it came
   */
  public record Reply(int status, HttpHeaders headers, JsonNode json, String text) {
    /** A member of the JSON body as text, null when absent. */
    public String member(String name) {
      JsonNode value = json.path(name);
      return value.isMissingNode() || value.isNull() ? null : value.asText();
    }

    /** The machine-readable code of a refusal, null when there is none. */
    public String code() {
      return member("code");
    }

    public String requestId() {
      return member("requestId");
    }

    public Optional<String> header(String name) {
      return headers.firstValue(name);
    }
  }

  /** Creates and preheats a sale that is on at once, of single units. */
  public Reply createSale(long productId, long stock) {
    return createSale(productId, Map.of("name", "Product " + productId, "stock", stock));
  }

  /** As {@link #createSale(long, long)}, and waits until the sale admits buyers. */
  public void openSale(long productId, long stock) {
    Awaitility.await("the sale " + productId)
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> createSale(productId, stock).status(), status -> status < 300);
    awaitAdmitting(productId);
  }

  /** Waits until the node trusts the sale's book. No sale has as many units as are asked for. */
  public void awaitAdmitting(long productId) {
    Awaitility.await("admissions to sale " + productId)
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> !buy(productId, 999_999, "probe", 1_000).code().equals("DEGRADED"));
  }

  /** PUT /admin/sales/{productId} with these terms. */
  public Reply createSale(long productId, Map<String, ?> terms) {
    return admin("PUT", "/admin/sales/" + productId, terms);
  }

  /** Buys one unit under a key the server makes. */
  public Reply buy(long productId, long userId) {
    return await(buyAsync(productId, userId, null, null));
  }

  public Reply buy(long productId, long userId, String idemKey) {
    return await(buyAsync(productId, userId, idemKey, null));
  }

  public Reply buy(long productId, long userId, String idemKey, int quantity) {
    return await(buyAsync(productId, userId, idemKey, quantity));
  }

  /**
   * Buys without waiting.
   *
   * @param idemKey null to let the server make one
   * @param quantity null for a request without a body
   */
  public CompletableFuture<Reply> buyAsync(
      long productId, long userId, String idemKey, Integer quantity) {
    HttpRequest.Builder request = request("/seckill/" + productId).header("X-User-Id", "" + userId);
    if (idemKey != null) {
      request.header("Idempotency-Key", idemKey);
    }
    if (quantity == null) {
      request.POST(HttpRequest.BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString("{\"quantity\":" + quantity + "}"));
    }
    return sendAsync(request.build());
  }

  /** Buys one unit, again and again while the sale is closed to buyers (503). */
  public Reply buyOnceOpen(long productId, long userId, String idemKey) {
    return Awaitility.await("an answer other than 503")
        .atMost(60, TimeUnit.SECONDS)
        .ignoreExceptions()
        .until(() -> buy(productId, userId, idemKey), reply -> reply.status() != 503);
  }

  /** What became of the purchase a user made under a key. */
  public Reply result(long userId, String idemKey, long productId) {
    return get("/seckill/result?idemKey=" + encode(idemKey) + "&productId=" + productId, userId);
  }

  /** What became of a reservation. */
  public Reply resultOf(long userId, String requestId) {
    return get("/seckill/result?requestId=" + encode(requestId), userId);
  }

  /** Waits until a reservation has ended and returns its status. */
  public String awaitEnd(long userId, String requestId) {
    return Awaitility.await("the end of " + requestId)
        .atMost(60, TimeUnit.SECONDS)
        .pollInterval(20, TimeUnit.MILLISECONDS)
        .ignoreExceptions()
        .until(() -> resultOf(userId, requestId), Shop::isEnd)
        .member("status");
  }

  private static boolean isEnd(Reply reply) {
    return reply.status() == 200 && !reply.member("status").equals("PENDING");
  }

  /** Asks as many users at once for results under a key that none of them has used. */
  public List<Reply> floodOfUnknown(int users, long productId) {
    List<CompletableFuture<Reply>> replies =
        LongStream.rangeClosed(1, users)
            .mapToObj(
                user ->
                    sendAsync(
                        request("/seckill/result?idemKey=u" + user + "&productId=" + productId)
                            .header("X-User-Id", "" + user)
                            .GET()
                            .build()))
            .toList();
    return replies.stream().map(CompletableFuture::join).toList();
  }

  /** GET /seckill/{productId}. */
  public Reply sale(long productId) {
    return send(request("/seckill/" + productId).GET().build());
  }

  /** The sale's double-entry book with MySQL's count of orders. */
  public JsonNode ledger(long productId) {
    Reply reply = admin("GET", "/admin/sales/" + productId + "/ledger", null);
    if (reply.status() != 200) {
      throw new IllegalStateException("No ledger of " + productId + ": " + reply.text());
    }
    return reply.json();
  }

  /** Waits until nothing of the sale is pending or in the outbox, and returns its ledger. */
  public JsonNode awaitRest(long productId) {
    return Awaitility.await("sale " + productId + " at rest")
        .atMost(60, TimeUnit.SECONDS)
        .ignoreExceptions()
        .until(
            () -> ledger(productId),
            ledger ->
                ledger.path("pending").asLong(-1) == 0 && ledger.path("outbox").asLong(-1) == 0);
  }

  /** A request with the admin token. */
  public Reply admin(String method, String path, Map<String, ?> body) {
    return send(
        request(path)
            .header("Authorization", "Bearer " + adminToken)
            .header("Content-Type", "application/json")
            .method(method, publisher(body))
            .build());
  }

  /** A request with the admin token and an idempotency key. */
  public Reply admin(String method, String path, Map<String, ?> body, String idemKey) {
    return send(
        request(path)
            .header("Authorization", "Bearer " + adminToken)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idemKey)
            .method(method, publisher(body))
            .build());
  }

  /** GET as a buyer. */
  public Reply get(String path, long userId) {
    return await(getAsync(path, userId));
  }

  /** As {@link #get}, without waiting. */
  public CompletableFuture<Reply> getAsync(String path, long userId) {
    return sendAsync(request(path).header("X-User-Id", "" + userId).GET().build());
  }

  /**
   * A request to this application, for what the other methods do not cover; the caller sets the
   * method.
   */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(baseUrl + path)).timeout(TIMEOUT);
  }

  public Reply send(HttpRequest request) {
    try {
      return reply(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(request.method() + " " + request.uri(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  public CompletableFuture<Reply> sendAsync(HttpRequest request) {
    return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(Shop::reply);
  }

  private static Reply await(CompletableFuture<Reply> reply) {
    return reply.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
  }

  private static Reply reply(HttpResponse<String> response) {
    return new Reply(response.statusCode(), response.headers(), json(response), response.body());
  }

  private static JsonNode json(HttpResponse<String> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (!type.contains("json") || response.body().isBlank()) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Not the JSON it says it is: " + response.body(), e);
    }
  }

  private static HttpRequest.BodyPublisher publisher(Map<String, ?> body) {
    if (body == null) {
      return HttpRequest.BodyPublishers.noBody();
    }
    try {
      return HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(body.toString(), e);
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
