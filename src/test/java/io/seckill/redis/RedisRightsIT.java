package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.seckill.StartRefusedException;
import io.seckill.book.BookVerifier;
import io.seckill.embedded.RedisServer;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Redis user with the rights that docs/REDIS.md names, and with one of them missing. */
class RedisRightsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String USER = "seckill";

  private static RedisServer server;
  private static RedisClient client;
  private static RedisCommands<String, String> admin;

  @BeforeAll
  static void start() {
    server = Redis.own();
    client = RedisClient.create(server.uri());
    admin = client.connect().sync();
  }

  @AfterAll
  static void stop() {
    client.shutdown();
    server.stopHard();
  }

  @BeforeEach
  void allow() {
    admin.scriptFlush();
    acl(documented());
  }

  /** The words of the documented line after ACL. */
  private static List<String> documented() {
    try (Stream<String> lines = Files.lines(Path.of("docs", "REDIS.md"))) {
      String line =
          lines
              .map(String::strip)
              .filter(text -> text.startsWith("ACL SETUSER"))
              .findFirst()
              .orElseThrow();
      return Arrays.asList(line.split(" ")).subList(1, line.split(" ").length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the line allows: keys, channel and commands. */
  static List<String> rights() {
    return documented().stream().filter(word -> word.matches("[~&+].*")).toList();
  }

  private static void acl(List<String> words) {
    CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
    words.forEach(args::add);
    admin.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
  }

  private static List<Object> denied() {
    return admin.dispatch(
        CommandType.ACL,
        new NestedMultiOutput<>(StringCodec.UTF8),
        new CommandArgs<>(StringCodec.UTF8).add("LOG"));
  }

  private static String uri(String user, String password) {
    return "redis://" + user + ":" + password + "@127.0.0.1:" + server.port();
  }

  private static TestApplication application(String name, String uri) {
    return TestApplication.apart(name, 0, Map.of("seckill.redis.uri", uri));
  }

  private static String refusal(String name, String uri) {
    Throwable error = catchThrowable(() -> application(name, uri).close());
    assertThat(error).isNotNull();
    return StartRefusedException.in(error)
        .orElseThrow(() -> new AssertionError(error))
        .getMessage();
  }

  @Test
  void shouldSellWithTheDocumentedRightsAlone() {
    acl(List.of("LOG", "RESET"));
    try (TestApplication application = application("rights", uri(USER, "PASSWORD"))) {
      Shop shop = application.awaitReady().shop();
      long product = Products.next();
      assertThat(shop.createSale(product, 2).status()).isEqualTo(201);
      assertThat(shop.awaitEnd(1, shop.buy(product, 1).requestId())).isEqualTo("SUCCESS");
      for (String call : List.of("pause", "resume", "rebuild", "end", "settle")) {
        shop.awaitRest(product);
        Shop.Reply reply = shop.admin("POST", "/admin/sales/" + product + "/" + call, null);
        assertThat(reply.status()).as(call + ": " + reply.text()).isEqualTo(200);
      }
      Health.awaitUp(application.managementUrl(), "redis-events");
    }
    assertThat(denied()).as("what Redis did not allow").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rights")
  void shouldNameARightThatIsMissing(String right) throws Exception {
    acl(documented().stream().filter(word -> !word.equals(right)).toList());
    RedisSettings settings = Redis.settings(uri(USER, "PASSWORD"));

    Throwable error;
    try (Redis.Node node = Redis.node(settings, BookVerifier.trusting());
        SpringRedis spring = new SpringRedis(settings)) {
      error =
          catchThrowable(
              () -> {
                node.connections.awaitConnected(LIMIT);
                node.scripts.requireRights();
                spring.look();
              });
    }

    assertThat(error).isInstanceOfAny(StartRefusedException.class, MissingRightException.class);
    String name =
        switch (right.charAt(0)) {
          case '~' -> "~seckill:*";
          case '&' -> "seckill:*";
          default -> right.substring(1).replaceAll("[|].*", "");
        };
    assertThat(error.getMessage().toLowerCase(Locale.ROOT))
        .contains(name, "seckill.redis.uri", "docs/redis.md")
        .doesNotContain("password");
  }

  @Test
  void shouldRefuseToStartWithoutTheChannel() {
    acl(List.of("SETUSER", USER, "resetchannels"));
    assertThat(refusal("channels", uri(USER, "PASSWORD")))
        .contains("&seckill:*", "seckill.redis.uri", "docs/REDIS.md");
  }

  @Test
  void shouldRefuseToStartWithoutInfo() {
    acl(List.of("SETUSER", USER, "-info"));
    assertThat(refusal("info", uri(USER, "PASSWORD"))).contains("info", "seckill.redis.uri");
  }

  @Test
  void shouldLogInWithAPasswordBesideTheAddress() {
    String address = "redis://127.0.0.1:" + server.port();
    Map<String, String> login =
        Map.of("seckill.redis.user", USER, "seckill.redis.password", "PASSWORD");
    Map<String, String> properties = new HashMap<>(login);
    properties.put("seckill.redis.uri", address);
    try (TestApplication application = TestApplication.apart("beside", 0, properties)) {
      assertThat(application.awaitReady().shop().createSale(Products.next(), 2).status())
          .isEqualTo(201);
    }
    properties.put("seckill.redis.uri", uri(USER, "PASSWORD"));
    Throwable error = catchThrowable(() -> TestApplication.apart("twice", 0, properties).close());
    assertThat(StartRefusedException.in(error).orElseThrow())
        .hasMessage(
            "seckill.redis.uri holds a password, and seckill.redis.password is set: remove one of"
                + " them.");
  }

  @Test
  void shouldRefuseToStartWithAWrongPasswordOrUser() {
    assertThat(refusal("password", uri(USER, "wrong"))).contains("password of seckill.redis.uri");
    assertThat(refusal("nobody", uri("nobody", "PASSWORD"))).contains("seckill.redis.uri");
  }

  @Test
  void shouldRefuseToStartWithoutThePasswordThatRedisAsksFor() {
    assertThat(refusal("none", "redis://127.0.0.1:" + server.port()))
        .contains("seckill.redis.uri", "password");
  }

  @Test
  void shouldDoAnAdministrativeCallOrLeaveItWhenARightIsWithdrawn() {
    try (TestApplication application = application("withdrawn", uri(USER, "PASSWORD"))) {
      Shop shop = application.awaitReady().shop();
      long product = Products.next();
      assertThat(shop.createSale(product, 5).status()).isEqualTo(201);
      long refused = Products.next();

      acl(List.of("SETUSER", USER, "resetchannels"));

      assertThat(shop.createSale(refused, 5).code()).isEqualTo("DEGRADED");
      assertThat(shop.admin("POST", "/admin/sales/" + product + "/pause", null).code())
          .isEqualTo("DEGRADED");
      assertThat(
              shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 1), "r")
                  .code())
          .isEqualTo("DEGRADED");
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                assertThat(Health.message(application.managementUrl(), "redis"))
                    .contains("PUBLISH on seckill:*");
                assertThat(Health.of(application.managementUrl()).statusCode()).isEqualTo(503);
              });
      assertThat(Health.check(application.managementUrl(), "redis-events")).isEqualTo("DOWN");

      allow();

      application.awaitReady();
      assertThat(shop.admin("GET", "/admin/sales/" + refused + "/ledger", null).status())
          .isEqualTo(404);
      assertThat(shop.buy(refused, 1).status()).isEqualTo(404);
      assertThat(shop.ledger(product).path("restocked").asLong()).isZero();
      assertThat(shop.awaitEnd(1, shop.buy(product, 1).requestId())).isEqualTo("SUCCESS");
      Health.awaitUp(application.managementUrl(), "redis-events");
    }
  }
}
