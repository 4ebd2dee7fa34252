package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Buyers who wait for the end of their purchase, on two nodes whose writers the tests hold. */
class LongPollIT {
  private static final long USER = 4713;

  private static HeldNodes nodes;
  private static TestApplication first;
  private static TestApplication second;
  private static Shop shop;

  private final long product = Products.next();

  @BeforeAll
  static void start() {
    nodes = HeldNodes.start("longpoll", 9, Map.of());
    first = nodes.first();
    second = nodes.second();
    shop = first.shop();
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  @AfterEach
  void write() throws Exception {
    nodes.write();
  }

  private static void hold() throws Exception {
    nodes.hold();
  }

  private void openSale() {
    nodes.openSale(product);
  }

  @Test
  void shouldAnswerAllWhoWaitOnEachNodeOnceTheOrderIsWritten() throws Exception {
    openSale();
    hold();
    String requestId = shop.buy(product, USER, "k1").requestId();
    String byKey = "/seckill/result?idemKey=k1&productId=" + product + "&wait=25";

    List<CompletableFuture<Reply>> waiting =
        List.of(
            shop.getAsync(byKey, USER),
            shop.getAsync("/seckill/result?idemKey=k1&wait=25", USER),
            shop.getAsync("/seckill/result?wait=25&requestId=" + requestId, USER),
            buyAndWait(shop, "k1", 25),
            second.shop().getAsync(byKey, USER));
    awaitWaiters(first, 4);
    awaitWaiters(second, 1);
    assertThat(waiting).noneMatch(CompletableFuture::isDone);

    write();

    for (CompletableFuture<Reply> each : waiting) {
      Reply reply = each.get(60, TimeUnit.SECONDS);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.member("status")).isEqualTo("SUCCESS");
      assertThat(reply.requestId()).isEqualTo(requestId);
      assertThat(reply.json().path("orderId").asLong()).isPositive();
      assertThat(reply.header("Retry-After")).isEmpty();
    }
    assertThat(waiting.get(3).join().header("Preference-Applied")).contains("wait=25");
    assertThat(waiting.get(0).join().header("Preference-Applied")).isEmpty();
    awaitWaiters(first, 0);
  }

  @Test
  void shouldAnswerAPurchaseWithItsEnd() {
    openSale();
    Reply reply = buyAndWait(shop, "k1", 25).join();
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.member("status")).isEqualTo("SUCCESS");
    assertThat(reply.header("Preference-Applied")).contains("wait=25");
    assertThat(reply.header("RateLimit")).isEmpty();
    assertThat(buyAndWait(shop, "k1", 25).join().text()).isEqualTo(reply.text());
  }

  @Test
  void shouldSayPendingWhenTheTimeIsOver() throws Exception {
    openSale();
    hold();
    Reply reserved = buyAndWait(shop, "k1", 1).join();
    assertThat(reserved.status()).isEqualTo(202);
    assertThat(reserved.header("Preference-Applied")).contains("wait=1");
    assertThat(reserved.header("Location")).isPresent();

    Reply result = shop.get("/seckill/result?idemKey=k1&productId=" + product + "&wait=1", USER);
    assertThat(result.status()).isEqualTo(200);
    assertThat(result.member("status")).isEqualTo("PENDING");
    assertThat(result.header("Retry-After")).isPresent();
  }

  @Test
  void shouldAnswerAtOnceWhatIsNotPending() {
    openSale();
    assertThat(buyAndWait(shop, "k1", 25).join().status()).isEqualTo(200);
    for (Reply reply :
        Stream.of(
                shop.getAsync("/seckill/result?idemKey=none&wait=30&productId=" + product, USER),
                buyAndWait(shop, "k2", 30),
                shop.getAsync("/seckill/result?idemKey=k1&wait=31", USER),
                shop.getAsync("/seckill/result?idemKey=k1&wait=soon", USER))
            .map(CompletableFuture::join)
            .toList()) {
      assertThat(reply.code()).isIn("UNKNOWN_REQUEST", "FAIL_DUPLICATE", "INVALID_REQUEST");
    }
    assertThat(buyAndWait(shop, "k3", 31).join().code()).isEqualTo("INVALID_REQUEST");
  }

  @Test
  void shouldForgetNobodyWhenTheSubscriptionBreaks() throws Exception {
    openSale();
    hold();
    shop.buy(product, USER, "k1");
    CompletableFuture<Reply> waiting =
        shop.getAsync("/seckill/result?idemKey=k1&wait=25&productId=" + product, USER);
    awaitWaiters(first, 1);

    TestServers.get().redisCommands().clientKill(KillArgs.Builder.typePubsub());
    write();

    assertThat(waiting.get(60, TimeUnit.SECONDS).member("status")).isEqualTo("SUCCESS");
  }

  @Test
  void shouldLetGoWhoeverHasLeft() throws Exception {
    openSale();
    hold();
    shop.buy(product, USER, "k1");
    URI uri = URI.create(first.baseUrl());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      String request =
          "GET /seckill/result?idemKey=k1&wait=30&productId=%d HTTP/1.1\r\nHost: localhost\r\nX-User-Id: %d\r\n\r\n"
              .formatted(product, USER);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      awaitWaiters(first, 1);
    }
    awaitWaiters(first, 0);
  }

  @Test
  void shouldLetEverybodyGoWhenTheNodeStops() throws Exception {
    openSale();
    hold();
    CompletableFuture<Reply> waiting;
    try (TestApplication third = nodes.heldNode(product, Map.of())) {
      waiting = buyAndWait(third.shop(), "k1", 30);
      awaitWaiters(third, 1);
    }
    Reply reply = waiting.get(60, TimeUnit.SECONDS);
    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.member("status")).isEqualTo("PENDING");
  }

  private CompletableFuture<Reply> buyAndWait(Shop at, String key, int seconds) {
    return at.sendAsync(
        at.request("/seckill/" + product)
            .header("X-User-Id", "" + USER)
            .header("Idempotency-Key", key)
            .header("Prefer", "wait=" + seconds)
            .POST(BodyPublishers.noBody())
            .build());
  }

  private static void awaitWaiters(TestApplication node, int number) {
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(node.bean(Waiters.class).size()).isEqualTo(number));
  }
}
