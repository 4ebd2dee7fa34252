package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.seckill.StartRefusedException;
import io.seckill.embedded.Ports;
import io.seckill.embedded.RedisServer;
import io.seckill.testing.Certificate;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.WireTap;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that speaks TLS, at {@code rediss://}. */
class RedisTlsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String PASSWORD = "a-password-nobody-may-read";
  private static final int TLS_RECORD = 0x16;

  @TempDir private static Path directory;

  private static Certificate ofServer;
  private static Certificate ofClient;
  private static RedisServer server;
  private static int tlsPort;

  private WireTap wire;

  @BeforeAll
  static void startServer() {
    ofServer = Certificate.make(directory.resolve("server"), "redis");
    ofClient = Certificate.make(directory.resolve("client"), "gateway");
    tlsPort = Ports.free();
    server =
        new RedisServer(
            directory.resolve("redis"),
            0,
            List.of(
                "tls-port " + tlsPort,
                "tls-cert-file " + ofServer.pemCertificate(),
                "tls-key-file " + ofServer.pemKey(),
                "tls-ca-cert-file " + ofClient.pemCertificate(),
                "tls-auth-clients yes",
                "user gateway on >" + PASSWORD + " ~* &* +@all"));
    server.start();
  }

  @AfterAll
  static void stopServer() {
    server.stopHard();
  }

  @BeforeEach
  void tap() {
    wire = new WireTap(tlsPort);
  }

  @AfterEach
  void untap() throws IOException {
    wire.close();
  }

  private String uri() {
    return "rediss://gateway:" + PASSWORD + "@127.0.0.1:" + wire.port();
  }

  private static Map<String, String> certificates() {
    return Map.of(
        "seckill.redis.truststore",
        ofServer.truststore().toString(),
        "seckill.redis.truststore-password",
        Certificate.PASSWORD,
        "seckill.redis.keystore",
        ofClient.keystore().toString(),
        "seckill.redis.keystore-password",
        Certificate.PASSWORD);
  }

  @Test
  void shouldEncryptEveryConnectionOfTheApplication() {
    Map<String, String> properties = new LinkedHashMap<>(certificates());
    properties.put("seckill.redis.uri", uri());
    try (TestApplication application = TestApplication.apart("tls", 0, properties)) {
      Shop shop = application.awaitReady().shop();
      long product = Products.next();
      assertThat(shop.createSale(product, 1).status()).isEqualTo(201);
      assertThat(shop.awaitEnd(1, shop.buy(product, 1).requestId())).isEqualTo("SUCCESS");

      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(shop.sale(product).member("state")).isEqualTo("SOLD_OUT"));
      Health.awaitUp(application.managementUrl(), "redis-events");
    }
    assertThat(wire.sent())
        .isNotEmpty()
        .allSatisfy(
            bytes -> {
              assertThat((int) bytes.charAt(0)).isEqualTo(TLS_RECORD);
              assertThat(bytes).doesNotContain(PASSWORD).doesNotContain("AUTH");
            });
  }

  @Test
  void shouldSendNothingToARedisItDoesNotTrust() {
    Map<String, String> properties = Map.of("seckill.redis.uri", uri());
    assertThat(refusal("distrust", properties))
        .contains("seckill.redis.truststore")
        .doesNotContain(PASSWORD);
    assertThat(wire.sent())
        .isNotEmpty()
        .allSatisfy(bytes -> assertThat(bytes).doesNotContain(PASSWORD));
  }

  @Test
  void shouldRefuseToStartWithAStoreItCannotRead() {
    Map<String, String> properties = new LinkedHashMap<>(certificates());
    properties.put("seckill.redis.uri", uri());
    properties.put("seckill.redis.truststore-password", "wrong");
    assertThat(refusal("unread", properties)).contains("seckill.redis.truststore", "password");
  }

  @Test
  void shouldSayThatRedisWantsACertificateOfThisNode() {
    Map<String, String> properties = new LinkedHashMap<>(certificates());
    properties.put("seckill.redis.uri", uri());
    properties.remove("seckill.redis.keystore");
    assertThat(refusal("stranger", properties)).contains("seckill.redis.keystore");
    assertThat(wire.sent()).allSatisfy(bytes -> assertThat(bytes).doesNotContain(PASSWORD));
  }

  @Test
  void shouldNotFallBackToClearTextWhereRedisSpeaksNoTls() throws IOException {
    try (WireTap clear = new WireTap(server.port())) {
      Map<String, String> properties = new LinkedHashMap<>(certificates());
      properties.put(
          "seckill.redis.uri", "rediss://gateway:" + PASSWORD + "@127.0.0.1:" + clear.port());
      try (TestApplication application = TestApplication.apart("plain", 0, properties)) {
        for (String check : List.of("redis", "redis-events")) {
          await()
              .atMost(LIMIT)
              .untilAsserted(
                  () ->
                      assertThat(Health.message(application.managementUrl(), check))
                          .contains("timed out"));
          assertThat(Health.check(application.managementUrl(), check)).isEqualTo("DOWN");
        }
        assertThat(Health.of(application.managementUrl()).statusCode()).isEqualTo(503);
      }
      assertThat(clear.sent())
          .isNotEmpty()
          .allSatisfy(bytes -> assertThat(bytes).doesNotContain(PASSWORD));
    }
  }

  private static String refusal(String name, Map<String, String> properties) {
    Throwable error = catchThrowable(() -> TestApplication.apart(name, 0, properties).close());
    assertThat(error).isNotNull();
    return StartRefusedException.in(error)
        .orElseThrow(() -> new AssertionError(error))
        .getMessage();
  }
}
