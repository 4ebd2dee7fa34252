package io.seckill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;

/** What an application says of itself. */
public final class Health {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  private Health() {}

  /**
   * The answer of {@code /observe/health/ready}: 200 when orders can be taken.
   *
   * @param managementUrl without a slash at the end
   */
  public static HttpResponse<String> of(String managementUrl) {
    return ask(managementUrl, "/ready");
  }

  private static HttpResponse<String> ask(String managementUrl, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(managementUrl + "/observe/health" + path))
            .timeout(TIMEOUT)
            .build();
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("No answer from " + managementUrl, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** What {@code /observe/health} says of one check: UP or DOWN, null where there is none. */
  public static String check(String managementUrl, String name) {
    Optional<JsonNode> check = find(managementUrl, name);
    return check.map(found -> found.path("status").asText()).orElse(null);
  }

  /** Why a check says so, in its own words; empty where there is none. */
  public static String message(String managementUrl, String name) {
    return find(managementUrl, name).map(found -> found.path("message").asText()).orElse("");
  }

  private static Optional<JsonNode> find(String managementUrl, String name) {
    try {
      JsonNode checks = new ObjectMapper().readTree(ask(managementUrl, "").body()).path("checks");
      return StreamSupport.stream(checks.spliterator(), false)
          .filter(check -> check.path("name").asText().equals(name))
          .findFirst();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a check says UP. */
  public static void awaitUp(String managementUrl, String check) {
    Awaitility.await(check + " of " + managementUrl)
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(check(managementUrl, check))
                    .as(message(managementUrl, check))
                    .isEqualTo("UP"));
  }

  /** Waits until orders can be taken. */
  public static void awaitUp(String managementUrl) {
    Awaitility.await("health of " + managementUrl)
        .atMost(120, TimeUnit.SECONDS)
        .ignoreExceptions()
        .until(() -> of(managementUrl).statusCode() == 200);
  }
}
