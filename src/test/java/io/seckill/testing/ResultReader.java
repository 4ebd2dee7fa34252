package io.seckill.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.testing.ServerSentEvents.Event;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A buyer's page that is open: reads the stream of results. */
public final class ResultReader implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpResponse<InputStream> response;
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private volatile boolean ended;

  private ResultReader(HttpResponse<InputStream> response) {
    this.response = response;
  }

  /**
   * Opens the stream.
   *
   * @param lastEventId of the last event that the page has; null for none
   */
  public static ResultReader open(Shop shop, String query, long userId, String lastEventId) {
    HttpRequest.Builder request =
        shop.request("/seckill/results?" + query).header("X-User-Id", "" + userId);
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    ResultReader reader = new ResultReader(ServerSentEvents.open(request.build()));
    ServerSentEvents.read(reader.response.body(), reader.events::add, () -> reader.ended = true);
    return reader;
  }

  public int status() {
    return response.statusCode();
  }

  public String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** What came so far, as {@code idemKey status}; {@code complete} at the end. */
  public List<String> told() {
    return events.stream()
        .filter(event -> !event.name().isEmpty())
        .map(
            event ->
                event.name().equals("complete")
                    ? "complete"
                    : json(event).path("idemKey").asText()
                        + " "
                        + json(event).path("status").asText())
        .toList();
  }

  /** The result that came last. */
  public JsonNode lastResult() {
    List<Event> results = events.stream().filter(event -> event.name().equals("result")).toList();
    return json(results.get(results.size() - 1));
  }

  /** The id of the last event; null for none. */
  public String lastEventId() {
    return events.isEmpty() ? null : events.get(events.size() - 1).id();
  }

  /** Waits until so many results and ends came. */
  public List<String> await(int number) {
    return Awaitility.await(number + " events")
        .atMost(60, TimeUnit.SECONDS)
        .until(this::told, told -> told.size() >= number);
  }

  /** Waits until the server has sent a comment. */
  public void awaitHeartbeat() {
    Awaitility.await("a comment")
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> events.stream().anyMatch(event -> event.name().isEmpty()));
  }

  /** Waits until the server has ended the stream. */
  public void awaitEnd() {
    Awaitility.await("the end of the stream").atMost(60, TimeUnit.SECONDS).until(() -> ended);
  }

  private static JsonNode json(Event event) {
    try {
      return JSON.readTree(event.data());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("An event is not JSON", e);
    }
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
