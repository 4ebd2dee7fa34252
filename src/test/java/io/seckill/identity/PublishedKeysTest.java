package io.seckill.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import io.seckill.testing.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedKeysTest {
  private static ECKey key;
  private static String published;

  private Issuer issuer;

  @BeforeAll
  static void makeKey() throws Exception {
    key = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    published = new JWKSet(key.toPublicJWK()).toString();
  }

  @BeforeEach
  void open() throws IOException {
    issuer = Issuer.open();
  }

  @AfterEach
  void close() {
    issuer.close();
  }

  @Test
  void shouldIgnoreKeysThatItDoesNotUnderstandAndTellSoOnce() throws Exception {
    issuer.publish(
        "{\"keys\":["
            + String.join(
                ",",
                "{\"kty\":\"EC\",\"crv\":\"P-999\",\"kid\":\"curve\",\"x\":\"AA\",\"y\":\"AA\"}",
                "{\"kty\":\"OKP\",\"crv\":\"X9\",\"kid\":\"okp\",\"x\":\"AA\"}",
                "{\"kty\":\"PQ\",\"kid\":\"type\",\"pub\":\"AA\"}",
                "{\"kty\":\"RSA\",\"kid\":\"without\"}",
                "{\"kty\":\"RSA\",\"kid\":1,\"n\":2,\"e\":[]}",
                "{\"kid\":\"no kty\"}",
                "null",
                "17",
                key.toPublicJWK().toJSONString())
            + "]}");
    PublishedKeys keys = new PublishedKeys(issuer.keys());
    try (LogCapture log = LogCapture.begin()) {
      assertThat(fetch(keys)).containsExactly(key.toPublicJWK());
      assertThat(log.of(PublishedKeys.class.getName())).hasSize(7);
      assertThat(fetch(keys)).containsExactly(key.toPublicJWK());
      assertThat(log.of(PublishedKeys.class.getName()))
          .hasSize(7)
          .allMatch(event -> event.getLevel() == Level.WARN && event.getThrown() == null);
    }
  }

  @Test
  void shouldHoldNoPrivateKeyAndNoSecret() throws Exception {
    issuer.publish(
        "{\"keys\":["
            + key.toJSONString()
            + ",{\"kty\":\"oct\",\"k\":\""
            + "A".repeat(43)
            + "\"}]}");
    assertThat(fetch(new PublishedKeys(issuer.keys()))).containsExactly(key.toPublicJWK());
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void shouldFollowARedirect(int status) throws Exception {
    issuer.publish(published);
    issuer.redirect("/moved", status, "/keys");
    assertThat(fetch(new PublishedKeys(issuer.at("/moved")))).hasSize(1);
  }

  @Test
  void shouldFollowFiveRedirectsAndNoMore() throws Exception {
    issuer.publish(published);
    issuer.redirect("/1", 301, issuer.keys().toString());
    for (int i = 2; i <= 6; i++) {
      issuer.redirect("/" + i, 301, issuer.at("/" + (i - 1)).toString());
    }
    assertThat(fetch(new PublishedKeys(issuer.at("/5")))).hasSize(1);
    assertFails(issuer.at("/6"), "more than 5 redirects");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://192.0.2.1/keys",
        "http://issuer.example/keys",
        "http://localhost.issuer.example/keys",
        "http://127.0.0.1@192.0.2.1/keys",
        "//192.0.2.1/keys",
        "file:/etc/passwd",
        "ftp://127.0.0.1/keys",
        "http:keys",
        "http://[/"
      })
  void shouldNotFollowARedirectToWhereItWouldNotStart(String target) throws Exception {
    issuer.redirect("/moved", 302, target);
    assertFails(issuer.at("/moved"), "a redirect to ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "<html></html>",
        "{\"keys\":1}",
        "{\"keys\":{}}",
        "{\"keys\":["
      })
  void shouldRefuseWhatIsNoSetOfKeys(String body) throws Exception {
    issuer.publish(body);
    assertFails(issuer.keys(), "not a JSON Web Key Set");
  }

  @Test
  void shouldRefuseOtherStatuses() throws Exception {
    for (int status : new int[] {201, 204, 304, 401, 404, 500, 503}) {
      issuer.redirect("/" + status, status, "/keys");
      assertFails(issuer.at("/" + status), "status " + status);
    }
    assertFails(issuer.at("/nothing"), "status 404");
  }

  @Test
  void shouldRefuseABodyThatIsTooLarge() throws Exception {
    issuer.publish("{\"keys\":[],\"more\":\"" + "x".repeat(1 << 20) + "\"}");
    assertFails(issuer.keys(), "more than 1048576 bytes");
  }

  @Test
  @Timeout(60)
  void shouldEndAFetchInTimeWhateverTheIssuerDoes() throws Exception {
    String head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    try (StallingIssuer silent = new StallingIssuer("", "");
        StallingIssuer stalling = new StallingIssuer(head + "{\"keys\":[", "");
        StallingIssuer dripping = new StallingIssuer(head, " ");
        StallingIssuer drippingHead = new StallingIssuer("HTTP/1.1 200 OK\r\nX: ", "x")) {
      Stream.of(silent, stalling, dripping, drippingHead)
          .map(
              each ->
                  CompletableFuture.runAsync(
                      () -> assertFails(each.keys(), "no complete answer within 5 s")))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://issuer.example/keys, true",
    "HTTPS://issuer.example:8443/keys, true",
    "http://localhost:8080/keys, true",
    "http://127.0.0.1/keys, true",
    "http://127.8.9.10/keys, true",
    "http://[::1]:8080/keys, true",
    "file:/keys.json, true",
    "http://issuer.example/keys, false",
    "http://10.0.0.1/keys, false",
    "http://[2001:db8::1]/keys, false",
    "http://127.0.0.1.issuer.example/keys, false",
    "http://localhost@issuer.example/keys, false",
    "ftp://127.0.0.1/keys, false",
    "/keys.json, false",
    "https:keys, false",
  })
  void shouldTakeKeysFromHttpsFilesAndLoopbackOnly(URI location, boolean taken) {
    if (taken) {
      assertThat(new PublishedKeys(location).name()).isNotEmpty();
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PublishedKeys(location))
          .withMessageContaining("seckill.jwt.jwks must be an https or file URL");
    }
  }

  private static List<JWK> fetch(PublishedKeys keys) throws Exception {
    return keys.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), 0, null).getKeys();
  }

  private static void assertFails(URI location, String reason) {
    assertThatThrownBy(() -> fetch(new PublishedKeys(location)))
        .isInstanceOf(JWKSetUnavailableException.class)
        .hasMessageContaining(reason);
  }

  /** Reads a request, writes a beginning, and goes on with a byte at a time, or not at all. */
  private static final class StallingIssuer implements AutoCloseable {
    private static final Duration DRIP = Duration.ofMillis(50);

    private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

    StallingIssuer(String beginning, String drip) throws IOException {
      Thread thread = new Thread(() -> serve(beginning, drip), "stalling-issuer");
      thread.setDaemon(true);
      thread.start();
    }

    URI keys() {
      return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/keys");
    }

    private void serve(String beginning, String drip) {
      try (Socket socket = server.accept()) {
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        while (!drip.isEmpty()) {
          socket.getOutputStream().write(drip.getBytes(StandardCharsets.US_ASCII));
          socket.getOutputStream().flush();
          Thread.sleep(DRIP.toMillis());
        }
        while (socket.getInputStream().read() >= 0) {
          // until the other side hangs up
        }
      } catch (IOException | InterruptedException gone) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
