package io.seckill.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends deliveries, and judges the answers: 2xx is success, all else is not. A redirect is not
 * followed. Thread-safe; waits for the answer, so call it on a thread that may block.
 */
public final class WebhookSender implements AutoCloseable {
  /** Bytes of an answer that are read before its connection is closed. */
  private static final int MAX_ANSWER = 64 * 1024;

  private static final int MAX_REASON = 200;
  private static final int GONE = 410;

  private final Targets targets;
  private final Signatures signatures = new Signatures();
  private final RetryPlan plan;
  private final Duration timeout;
  private final Clock clock;
  private final HttpClient client;

  /**
   * How it connects.
   *
   * @param timeout from the start of the connection to the answer
   * @param perHost connections that may be open at once to one host
   * @param truststore a JKS or PKCS12 file with the certificates to trust; empty: those of the JVM
   */
  public record Connections(
      Duration timeout, int perHost, String truststore, String truststorePassword) {
    /** Without the password, because logs may show it. */
    @Override
    public String toString() {
      return perHost + " connections a host, " + timeout + ", " + truststore;
    }
  }

  public WebhookSender(
      Vertx vertx, Targets targets, RetryPlan plan, Clock clock, Connections connections) {
    this.targets = targets;
    this.plan = plan;
    this.clock = clock;
    timeout = connections.timeout();
    HttpClientOptions options =
        new HttpClientOptions()
            .setVerifyHost(true)
            .setTrustAll(false)
            .setConnectTimeout((int) timeout.toMillis())
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setIdleTimeout((int) timeout.toMillis());
    if (!connections.truststore().isBlank()) {
      options.setTrustOptions(
          new JksOptions()
              .setPath(connections.truststore())
              .setPassword(connections.truststorePassword()));
    }
    client =
        vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(connections.perHost()));
  }

  /** What an endpoint said. */
  private record Answer(int code, String message, String retryAfter) {
    boolean isSuccess() {
      return code >= 200 && code < 300;
    }
  }

  /**
   * Tries a delivery once.
   *
   * @return what came of it; never throws for what the endpoint does
   */
  public Attempt send(ClaimedDelivery delivery) throws InterruptedException {
    long begin = System.nanoTime();
    Answer answer;
    try {
      answer = post(delivery, targets.judge(delivery.url()));
    } catch (ForbiddenTargetException e) {
      answer = none("Not sent. " + e.getMessage());
    } catch (UnknownHostException e) {
      answer = none("Not sent. The host has no address.");
    } catch (TimeoutException e) {
      answer = none("No answer within " + timeout.toMillis() + " ms.");
    } catch (ExecutionException e) {
      answer = none("No answer: " + innermost(e).getMessage());
    }
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    int tries = delivery.attempts() + 1;
    Optional<Long> pause =
        answer.isSuccess() || answer.code() == GONE
            ? Optional.empty()
            : plan.pauseAfter(tries, answer.retryAfter(), clock.instant());
    return new Attempt(
        delivery.id(),
        delivery.webhookId(),
        delivery.leaseUntil(),
        answer.isSuccess()
            ? DeliveryState.DELIVERED
            : pause.isPresent() ? DeliveryState.WAITING : DeliveryState.FAILED,
        answer.code() == 0 ? null : (Integer) answer.code(),
        answer.message().substring(0, Math.min(answer.message().length(), MAX_REASON)),
        tookMs,
        pause.orElse(null));
  }

  private static Throwable innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static Answer none(String reason) {
    return new Answer(0, reason, null);
  }

  /** Connects to the first address that takes the connection, and to no other. */
  private Answer post(ClaimedDelivery delivery, Target target)
      throws ExecutionException, TimeoutException, InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    ExecutionException refused = null;
    for (InetAddress address : target.addresses()) {
      HttpClientRequest request;
      try {
        request =
            client
                .request(options(target, address))
                .toCompletionStage()
                .toCompletableFuture()
                .get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException e) {
        refused = e;
        continue;
      }
      return exchange(delivery, request, end);
    }
    throw refused;
  }

  private RequestOptions options(Target target, InetAddress address) {
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setSsl(target.isTls())
        .setServer(SocketAddress.inetSocketAddress(target.port(), address.getHostAddress()))
        .setHost(target.host())
        .setPort(target.port())
        .setURI(target.path())
        .setFollowRedirects(false)
        .setIdleTimeout(timeout.toMillis());
  }

  private Answer exchange(ClaimedDelivery delivery, HttpClientRequest request, long end)
      throws ExecutionException, TimeoutException, InterruptedException {
    long seconds = clock.instant().getEpochSecond();
    request
        .putHeader("content-type", "application/json")
        .putHeader("user-agent", "seckill-gateway")
        .putHeader("webhook-id", delivery.eventId())
        .putHeader("webhook-timestamp", Long.toString(seconds))
        .putHeader(
            "webhook-signature",
            signatures.header(
                delivery.eventId(),
                seconds,
                delivery.body(),
                delivery.secret(),
                delivery.formerSecret()));
    try {
      return request
          .send(Buffer.buffer(delivery.body()))
          .map(WebhookSender::answer)
          .toCompletionStage()
          .toCompletableFuture()
          .get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException e) {
      request.reset();
      throw e;
    }
  }

  /** Reads on, on the event loop, so that the connection can be used again. */
  private static Answer answer(HttpClientResponse response) {
    int[] read = new int[1];
    response.handler(
        part -> {
          read[0] += part.length();
          if (read[0] > MAX_ANSWER) {
            response.request().reset();
          }
        });
    return new Answer(
        response.statusCode(),
        response.statusCode() + " " + response.statusMessage(),
        response.getHeader("retry-after"));
  }

  @Override
  public void close() {
    client.close();
  }
}
