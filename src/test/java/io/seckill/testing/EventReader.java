package io.seckill.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A console that is open: reads the stream of events, and keeps what it has been told. */
public final class EventReader implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpResponse<InputStream> response;
  private final List<JsonNode> overviews = new CopyOnWriteArrayList<>();
  private final List<JsonNode> details = new CopyOnWriteArrayList<>();
  private final List<JsonNode> happened = new CopyOnWriteArrayList<>();
  private final Map<Long, JsonNode> sales = new ConcurrentHashMap<>();
  private volatile boolean ended;

  private EventReader(HttpResponse<InputStream> response) {
    this.response = response;
  }

  /**
   * Opens the stream.
   *
   * @param query such as {@code ?productId=1}, or empty
   */
  public static EventReader open(String baseUrl, String token, String query) {
    EventReader reader =
        new EventReader(
            ServerSentEvents.open(
                HttpRequest.newBuilder(URI.create(baseUrl + "/admin/events" + query))
                    .header("Authorization", "Bearer " + token)
                    .build()));
    ServerSentEvents.read(reader.response.body(), reader::take, () -> reader.ended = true);
    return reader;
  }

  private void take(ServerSentEvents.Event event) {
    if (event.name().isEmpty()) {
      return;
    }
    JsonNode data = json(event.data());
    if (event.name().equals("sale")) {
      details.add(data);
      return;
    }
    data.path("sales").forEach(sale -> sales.put(sale.path("productId").asLong(), sale));
    data.path("happened").forEach(happened::add);
    overviews.add(data);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("An event is not JSON", e);
    }
  }

  public int status() {
    return response.statusCode();
  }

  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /** Whether the server has ended the stream. */
  public boolean ended() {
    return ended;
  }

  /** The overviews that came so far, the first one first. */
  public List<JsonNode> overviews() {
    return List.copyOf(overviews);
  }

  /** What came of the product that was asked for. */
  public List<JsonNode> details() {
    return List.copyOf(details);
  }

  /** The sales as they are now, by product. */
  public Map<Long, JsonNode> sales() {
    return new TreeMap<>(sales);
  }

  /** Waits for an overview. */
  public JsonNode await(String what, Predicate<JsonNode> that) {
    return Awaitility.await(what)
        .atMost(60, TimeUnit.SECONDS)
        .pollInterval(20, TimeUnit.MILLISECONDS)
        .until(() -> overviews.stream().filter(that).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  /** Waits until a sale is as it should be. */
  public JsonNode awaitSale(long productId, Predicate<JsonNode> that) {
    return Awaitility.await("sale " + productId)
        .atMost(60, TimeUnit.SECONDS)
        .pollInterval(20, TimeUnit.MILLISECONDS)
        .until(() -> sales.get(productId), sale -> sale != null && that.test(sale));
  }

  /** Waits for something that happened. */
  public JsonNode awaitHappening(String kind, long productId) {
    return Awaitility.await(kind)
        .atMost(60, TimeUnit.SECONDS)
        .pollInterval(20, TimeUnit.MILLISECONDS)
        .until(
            () ->
                happened.stream()
                    .filter(each -> each.path("kind").asText().equals(kind))
                    .filter(each -> each.path("productId").asLong() == productId)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
