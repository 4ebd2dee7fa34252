package io.seckill.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpLoadTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void shouldSendEachRequestOnceAndCountAnswersByStatus() throws Exception {
    Set<String> users = ConcurrentHashMap.newKeySet();
    int port =
        serve(
            request -> {
              String user = request.getHeader("X-User-Id");
              users.add(user);
              int status = Long.parseLong(user) % 2 == 0 ? 202 : 409;
              request.response().setStatusCode(status).end("{\"status\":\"PENDING\"}");
            });

    LoadResult result =
        HttpLoad.run(
            HttpLoad.Settings.closed(
                    port, RequestTemplate.buy(1, 1_000, 7, 1), 8, Duration.ofSeconds(60))
                .limitedTo(500));

    assertThat(users).hasSize(500);
    assertThat(result.sortedStatuses()).containsOnly(entry(202, 250L), entry(409, 250L));
    assertThat(result.latency().getTotalCount()).isEqualTo(500);
    assertThat(result.failed()).isZero();
    assertThat(result.unanswered()).isZero();
  }

  @Test
  void shouldReadChunkedAnswers() throws Exception {
    int port =
        serve(request -> request.response().setChunked(true).end("{\"status\":\"SUCCESS\"}"));

    LoadResult result =
        HttpLoad.run(
            HttpLoad.Settings.closed(
                    port, RequestTemplate.result(1, 10, 7, 1), 2, Duration.ofSeconds(60))
                .limitedTo(20));

    assertThat(result.count(200)).isEqualTo(20);
  }

  @Test
  void shouldChargeAStallToEveryRequestThatItDelayed() throws Exception {
    long stallMillis = 400;
    AtomicInteger seen = new AtomicInteger();
    int port =
        serve(
            request -> {
              if (seen.incrementAndGet() == 100) {
                vertx.setTimer(stallMillis, timer -> request.response().end());
              } else {
                request.response().end();
              }
            });

    LoadResult result =
        HttpLoad.run(
            HttpLoad.Settings.open(
                port, RequestTemplate.buy(1, 100_000, 7, 1), 1, Duration.ofSeconds(2), 500));

    long halfOfTheStall = stallMillis * 1_000 / 2;
    long charged =
        result.latency().getTotalCount()
            - result.latency().getCountBetweenValues(0, halfOfTheStall);
    assertThat(charged).as("requests that were due while the server stalled").isGreaterThan(50);
  }

  @Test
  void shouldFollowAPurchaseUntilItsResultIsTerminal() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    int port =
        serve(
            request -> {
              boolean buys = request.path().equals("/seckill/7");
              String status = !buys && asked.incrementAndGet() > 2 ? "SUCCESS" : "PENDING";
              request
                  .response()
                  .setStatusCode(buys ? 202 : 200)
                  .end("{\"status\":\"" + status + "\"}");
            });

    LoadResult result =
        HttpLoad.run(
            HttpLoad.Settings.open(
                    port, RequestTemplate.buy(1, 100, 7, 1), 2, Duration.ofSeconds(60), 100)
                .limitedTo(1)
                .tracking(1));

    assertThat(asked).hasValue(3);
    assertThat(result.untilTerminal().getTotalCount()).isEqualTo(1);
    assertThat(result.untracked()).isZero();
  }

  @Test
  void shouldTakeTheAnswerToABuyerWhoWaitsForTheEnd() throws Exception {
    int port =
        serve(
            request -> {
              boolean waits = "wait=20".equals(request.getHeader("Prefer"));
              request.response().setStatusCode(waits ? 200 : 202).end("{}");
            });
    RequestTemplate buyers = RequestTemplate.buy(1, 100, 7, 1);

    LoadResult waited =
        HttpLoad.run(
                HttpLoad.Settings.closed(port, buyers.awaiting(20), 2, Duration.ofSeconds(60))
                    .limitedTo(10))
            .answeredWithTheEnd();
    LoadResult gaveUp =
        HttpLoad.run(
                HttpLoad.Settings.closed(port, buyers, 2, Duration.ofSeconds(60)).limitedTo(10))
            .answeredWithTheEnd();

    assertThat(waited.untilTerminal().getTotalCount()).isEqualTo(10);
    assertThat(waited.untracked()).isZero();
    assertThat(gaveUp.untracked()).isEqualTo(10);
  }

  private int serve(Consumer<HttpServerRequest> handler) {
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(handler::accept)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    return server.actualPort();
  }

  private static Map.Entry<Integer, Long> entry(int status, long count) {
    return Map.entry(status, count);
  }
}
