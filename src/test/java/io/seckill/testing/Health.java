package io.seckill.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(managementUrl + "/observe/health/ready"))
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

  /** Waits until orders can be taken. */
  public static void awaitUp(String managementUrl) {
    Awaitility.await("health of " + managementUrl)
        .atMost(120, TimeUnit.SECONDS)
        .ignoreExceptions()
        .until(() -> of(managementUrl).statusCode() == 200);
  }
}
