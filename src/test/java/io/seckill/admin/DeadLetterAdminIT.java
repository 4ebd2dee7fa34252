package io.seckill.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.domain.RequestId;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterAdminIT {
  private static TestServers servers;
  private static Shop shop;

  private final long product = Products.next();

  @BeforeAll
  static void start() {
    servers = TestServers.get();
    shop = TestApplication.shared().shop();
  }

  @Test
  void shouldListDeadLettersByStatePageByPage() {
    long first = deadLetter("PARKED", 1, order(1));
    long second = deadLetter("PARKED", 2, order(2));
    long other = deadLetter("UNREADABLE", 3, new byte[] {(byte) 0xff, 0});

    JsonNode page = list("?state=PARKED&limit=1&after=" + (first - 1)).json();
    JsonNode next = list("?state=PARKED&limit=1&after=" + page.path("next").asLong()).json();
    JsonNode all = list("?after=" + (first - 1)).json();

    assertThat(ids(page)).containsExactly(first);
    assertThat(ids(next)).containsExactly(second);
    assertThat(ids(all)).contains(first, second, other);
    JsonNode shown = page.path("deadLetters").get(0);
    assertThat(shown.path("state").asText()).isEqualTo("PARKED");
    assertThat(shown.path("requestId").asText()).isEqualTo(requestId(1));
    assertThat(shown.path("productId").asLong()).isEqualTo(product);
    assertThat(shown.path("cause").asText()).isEqualTo("a test");
    assertThat(shown.path("payload").asText()).contains(requestId(1));
    JsonNode unreadable = all.path("deadLetters").get(ids(all).indexOf(other));
    assertThat(unreadable.path("payloadBase64").asText()).isEqualTo("/wA=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?state=parked",
        "?state=X",
        "?limit=0",
        "?limit=501",
        "?limit=a",
        "?after=-1",
        "?after=a",
        "?after=1&after=2"
      })
  void shouldRefuseQuestionsThatAreWrong(String query) {
    assertProblem(list(query), 400, "INVALID_REQUEST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET ", "POST /1/replay", "POST /1/compensate"})
  void shouldRefuseEveryCallWithoutTheToken(String call) {
    String[] parts = call.split(" ", 2);
    Reply refused =
        shop.send(
            shop.request("/admin/dead-letters" + parts[1])
                .method(parts[0], BodyPublishers.noBody())
                .build());

    assertProblem(refused, 401, "UNAUTHENTICATED");
    assertThat(refused.header("WWW-Authenticate")).isPresent();
  }

  @Test
  void shouldNotKnowADeadLetterThatIsNotThere() {
    for (String call : List.of("replay", "compensate")) {
      assertProblem(post(Long.MAX_VALUE / 100, call), 404, "UNKNOWN_DEAD_LETTER");
      assertProblem(
          shop.admin("POST", "/admin/dead-letters/abc/" + call, null), 400, "INVALID_REQUEST");
      assertProblem(
          shop.admin("POST", "/admin/dead-letters/0/" + call, null), 400, "INVALID_REQUEST");
    }
  }

  @Test
  void shouldCompensateOnceAndRefuseToReplayThen() {
    shop.createSale(product, 10);
    servers.reserve(product, 4);
    long id = deadLetter("PARKED", 4, order(4));

    Reply compensated = post(id, "compensate");
    Reply again = post(id, "compensate");
    Reply replayed = post(id, "replay");

    assertThat(compensated.status()).as(compensated.text()).isEqualTo(200);
    assertThat(compensated.member("state")).isEqualTo("COMPENSATED");
    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertProblem(replayed, 409, "ALREADY_COMPENSATED");
    JsonNode ledger = shop.ledger(product);
    assertThat(ledger.path("available").asLong()).isEqualTo(10);
    assertThat(ledger.path("released").asLong()).isEqualTo(1);
    assertThat(ledger.path("orders").path("failed").asLong()).isEqualTo(1);
    assertThat(ledger.path("balanced").asBoolean()).isTrue();
  }

  @Test
  void shouldSayThatAnOrderWasConfirmedWhichHadBeenWrittenAllTheSame() {
    shop.createSale(product, 10);
    String request = shop.buy(product, 8, "k").requestId();
    shop.awaitRest(product);
    assertThat(request).isEqualTo(requestId(8));
    long id = deadLetter("PARKED", 8, order(8));

    Reply compensated = post(id, "compensate");
    Reply again = post(id, "compensate");
    Reply replayed = post(id, "replay");

    assertThat(compensated.status()).as(compensated.text()).isEqualTo(200);
    assertThat(compensated.member("state")).isEqualTo("CONFIRMED");
    assertThat(again.member("state")).isEqualTo("CONFIRMED");
    assertProblem(replayed, 409, "ALREADY_CONFIRMED");
    JsonNode ledger = shop.ledger(product);
    assertThat(ledger.path("sold").asLong()).isEqualTo(1);
    assertThat(ledger.path("orders").path("success").asLong()).isEqualTo(1);
    assertThat(ledger.path("balanced").asBoolean()).isTrue();
  }

  @Test
  void shouldReplayIntoAnOrder() {
    shop.createSale(product, 10);
    servers.reserve(product, 5);
    long id = deadLetter("PARKED", 5, order(5));

    Reply replayed = post(id, "replay");

    assertThat(replayed.status()).as(replayed.text()).isEqualTo(200);
    assertThat(replayed.member("state")).isEqualTo("REPLAYED");
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              JsonNode ledger = shop.ledger(product);
              assertThat(ledger.path("sold").asLong()).isEqualTo(1);
              assertThat(ledger.path("orders").path("success").asLong()).isEqualTo(1);
            });
  }

  @Test
  void shouldRefuseToCompensateWhatHoldsNoOrder() {
    long id = deadLetter("UNREADABLE", 6, "no order".getBytes(StandardCharsets.UTF_8));

    assertProblem(post(id, "compensate"), 409, "UNREADABLE");
  }

  @Test
  void shouldWriteAnAuditRowForEachCall() {
    long id = deadLetter("UNREADABLE", 7, "no order".getBytes(StandardCharsets.UTF_8));
    long before = servers.number("SELECT COALESCE(MAX(id), 0) FROM admin_audit");
    post(id, "compensate");

    assertThat(
            servers.rows(
                "SELECT action, operator, before_change FROM admin_audit WHERE id > ? AND detail = ?",
                before,
                "{\"deadLetterId\":" + id + "}"))
        .containsExactly(
            Map.of(
                "action", "COMPENSATE",
                "operator", "admin",
                "before_change", "{\"state\":\"UNREADABLE\"}"));
  }

  // ---- helpers ----

  private Reply list(String query) {
    return shop.admin("GET", "/admin/dead-letters" + query, null);
  }

  private static List<Long> ids(JsonNode page) {
    return page.path("deadLetters").findValues("id").stream().map(JsonNode::asLong).toList();
  }

  private Reply post(long id, String call) {
    return shop.admin("POST", "/admin/dead-letters/" + id + "/" + call, null);
  }

  private String requestId(long user) {
    return RequestId.of(product, user, "k").toString();
  }

  private byte[] order(long user) {
    return ("{\"v\":1,\"requestId\":\"%s\",\"productId\":%d,\"userId\":%d,\"quantity\":1,"
            + "\"idemKey\":\"k\",\"epoch\":1,\"outboxId\":\"9999999999999-1\",\"resent\":0}")
        .formatted(requestId(user), product, user)
        .getBytes(StandardCharsets.UTF_8);
  }

  private long deadLetter(String state, long user, byte[] payload) {
    String origin = "test-" + product + "@" + user;
    servers.update(
        "INSERT INTO dead_letters (origin, request_id, product_id, user_id, payload, cause,"
            + " attempts, state, parked_until, created_at, updated_at)"
            + " VALUES (?, ?, ?, ?, ?, 'a test', 1, ?, ?, 1, 1)",
        origin,
        requestId(user),
        product,
        user,
        payload,
        state,
        System.currentTimeMillis() + 86_400_000L);
    return servers.number("SELECT id FROM dead_letters WHERE origin = ?", origin);
  }

  private static void assertProblem(Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.code()).as(reply.text()).isEqualTo(code);
    assertThat(reply.header("Content-Type")).contains("application/problem+json");
  }
}
