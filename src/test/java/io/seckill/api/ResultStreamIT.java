package io.seckill.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.seckill.domain.RequestId;
import io.seckill.testing.Products;
import io.seckill.testing.ResultReader;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Streams of results, on two nodes whose writers the tests hold. */
class ResultStreamIT {
  private static final long USER = 4714;
  private static final int MOST = 3;

  private static HeldNodes nodes;
  private static TestApplication first;
  private static TestApplication second;
  private static Shop shop;

  private final long product = Products.next();
  private final String k1 = "idemKey=k1&productId=" + product;

  @BeforeAll
  static void start() {
    nodes = HeldNodes.start("resultstream", 15, Map.of("seckill.result.waiters", "" + MOST));
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

  private void openSale(long of) {
    nodes.openSale(of);
  }

  private static ResultReader open(TestApplication node, String query) {
    return ResultReader.open(node.shop(), query, USER, null);
  }

  private static void awaitWaiters(TestApplication node, int number) {
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(node.bean(Waiters.class).size()).isEqualTo(number));
  }

  @Test
  void shouldTellEachStateAndThenEachEndOnEachNode() throws Exception {
    long other = Products.next();
    openSale(product);
    openSale(other);
    String ended = shop.buy(other, USER, "k0").requestId();
    shop.awaitEnd(USER, ended);
    hold();
    String pending = shop.buy(product, USER, "k1").requestId();
    String query = "productId=" + other + "&idemKey=k0&productId=" + product + "&idemKey=k1";

    try (ResultReader here = open(first, query);
        ResultReader there = open(second, "requestId=" + ended + "&requestId=" + pending)) {
      assertThat(here.status()).isEqualTo(200);
      assertThat(here.header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(here.await(2)).containsExactly("k0 SUCCESS", "k1 PENDING");
      assertThat(there.await(2)).containsExactly("k0 SUCCESS", "k1 PENDING");
      awaitWaiters(first, 1);

      write();

      for (ResultReader each : List.of(here, there)) {
        assertThat(each.await(4))
            .containsExactly("k0 SUCCESS", "k1 PENDING", "k1 SUCCESS", "complete");
        assertThat(each.lastResult()).isEqualTo(shop.resultOf(USER, pending).json());
        each.awaitEnd();
      }
    }
    awaitWaiters(first, 0);
  }

  @Test
  void shouldTellAFailure() throws Exception {
    openSale(product);
    hold();
    shop.buy(product, USER, "k1");
    try (ResultReader reader = open(second, k1)) {
      reader.await(1);
      // as the compensation of a dead letter leaves it
      new JdbcTemplate(first.bean(DataSource.class))
          .update(
              "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
                  + " reason, attempt, epoch, created_at) VALUES (?, ?, ?, 1, ?, 'FAIL_SYSTEM',"
                  + " 'refused', 'test', 1, 1)",
              RequestId.of(product, USER, "k1").toString(),
              product,
              USER,
              product + ":" + USER + ":k1");
      write();

      assertThat(reader.await(3)).containsExactly("k1 PENDING", "k1 FAIL_SYSTEM", "complete");
      assertThat(reader.lastResult().path("reason").asText()).isNotEmpty();
    }
  }

  /** A page whose connection broke gets what it has not, and nothing when it has all. */
  @Test
  void shouldGoOnAfterTheLastEvent() throws Exception {
    long other = Products.next();
    openSale(product);
    openSale(other);
    shop.awaitEnd(USER, shop.buy(other, USER, "k0").requestId());
    hold();
    shop.buy(product, USER, "k1");
    String query = "productId=" + other + "&idemKey=k0&productId=" + product + "&idemKey=k1";
    String had;
    try (ResultReader reader = open(first, query)) {
      assertThat(reader.await(2)).containsExactly("k0 SUCCESS", "k1 PENDING");
      had = reader.lastEventId();
    }
    awaitWaiters(first, 0);
    write();
    shop.awaitEnd(USER, RequestId.of(product, USER, "k1").toString());

    try (ResultReader back = ResultReader.open(second.shop(), query, USER, had)) {
      assertThat(back.await(2)).containsExactly("k1 SUCCESS", "complete");
      had = back.lastEventId();
    }
    try (ResultReader again = ResultReader.open(shop, query, USER, had)) {
      // by which a browser knows that it need not come back
      assertThat(again.status()).isEqualTo(204);
    }
    try (ResultReader anew = ResultReader.open(shop, query, USER, "of another stream")) {
      assertThat(anew.await(3)).containsExactly("k0 SUCCESS", "k1 SUCCESS", "complete");
    }
  }

  @Test
  void shouldForgetNobodyWhenTheSubscriptionBreaks() throws Exception {
    openSale(product);
    hold();
    shop.buy(product, USER, "k1");
    try (ResultReader reader = open(first, k1)) {
      reader.await(1);
      TestServers.get().redisCommands().clientKill(KillArgs.Builder.typePubsub());
      write();

      assertThat(reader.await(3)).containsExactly("k1 PENDING", "k1 SUCCESS", "complete");
    }
  }

  @Test
  void shouldLetGoWhoeverHasLeftAndShowThatItLives() throws Exception {
    openSale(product);
    hold();
    shop.buy(product, USER, "k1");
    try (ResultReader reader = open(first, k1)) {
      awaitWaiters(first, 1);
      reader.awaitHeartbeat();
    }
    awaitWaiters(first, 0);
  }

  @Test
  void shouldRefuseMoreThanMayWait() throws Exception {
    openSale(product);
    hold();
    for (long user = USER; user <= USER + MOST; user++) {
      shop.buy(product, user, "k1");
    }
    try (ResultReader one = ResultReader.open(second.shop(), k1, USER, null);
        ResultReader two = ResultReader.open(second.shop(), k1, USER + 1, null);
        ResultReader three = ResultReader.open(second.shop(), k1, USER + 2, null)) {
      awaitWaiters(second, MOST);

      Reply refused = second.shop().get("/seckill/results?" + k1, USER + MOST);

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("TOO_MANY_STREAMS");
      assertThat(refused.header("Retry-After")).isPresent();
      assertThat(Stream.of(one, two, three).map(ResultReader::told))
          .containsOnly(List.of("k1 PENDING"));
    }
    awaitWaiters(second, 0);
  }

  @Test
  void shouldRefuseAsALookUpDoes() {
    openSale(product);
    shop.buy(product, USER, "k1");
    String many =
        IntStream.rangeClosed(1, 21).mapToObj(i -> "&productId=" + i).collect(Collectors.joining());

    for (String query :
        List.of(
            "",
            "idemKey=k1",
            "productId=" + product,
            "idemKey=k1&idemKey=k2&productId=" + product,
            "idemKey=k1&productId=x",
            "idemKey=%20&productId=" + product,
            "requestId=none",
            k1 + "&requestId=" + RequestId.of(product, USER, "k1"),
            "idemKey=k1" + many)) {
      Reply reply = shop.get("/seckill/results?" + query, USER);
      assertThat(reply.status()).as(query).isEqualTo(400);
      assertThat(reply.code()).as(query).isEqualTo("INVALID_REQUEST");
    }
    for (String query :
        List.of(
            "requestId=" + RequestId.of(product, USER + 1, "k1"),
            k1 + "&productId=" + Products.next())) {
      assertThat(shop.get("/seckill/results?" + query, USER).code())
          .as(query)
          .isEqualTo("UNKNOWN_REQUEST");
    }
    Reply nobody = shop.send(shop.request("/seckill/results?" + k1).GET().build());
    assertThat(nobody.status()).isEqualTo(401);
    assertThat(nobody.header("WWW-Authenticate"))
        .isEqualTo(resultOfNobody().header("WWW-Authenticate"));
  }

  private Reply resultOfNobody() {
    return shop.send(shop.request("/seckill/result?" + k1).GET().build());
  }

  /** Browsers then come back, to another node. */
  @Test
  void shouldEndWhenTheNodeStops() throws Exception {
    ResultReader reader;
    try (TestApplication third = holding(Map.of())) {
      third.shop().buy(product, USER, "k1");
      reader = open(third, k1);
      awaitWaiters(third, 1);
    }
    try (reader) {
      reader.awaitEnd();
      assertThat(reader.told()).containsExactly("k1 PENDING");
    }
  }

  @Test
  void shouldEndWhenItsTimeIsOver() throws Exception {
    try (TestApplication third = holding(Map.of("seckill.result.stream-seconds", "1"))) {
      third.shop().buy(product, USER, "k1");
      try (ResultReader reader = open(third, k1)) {
        reader.awaitEnd();
        assertThat(reader.told()).containsExactly("k1 PENDING");
      }
    }
  }

  /** A further node, of which no writer works either. */
  private TestApplication holding(Map<String, String> properties) throws Exception {
    openSale(product);
    hold();
    return nodes.heldNode(product, properties);
  }
}
