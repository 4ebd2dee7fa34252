package io.seckill.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seckill.answer.Refusal;
import io.seckill.api.PurchaseReaderTest;
import io.seckill.http.Request;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.testing.LogCapture;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheck.State;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JwksKeysTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private CamelContext camel;
  private Issuer issuer;

  @BeforeEach
  void open() throws Exception {
    camel = new DefaultCamelContext();
    camel.start();
    issuer = Issuer.open();
  }

  @AfterEach
  void close() {
    camel.stop();
    issuer.close();
  }

  @Test
  void shouldTrustOldKeysUpToTheirAgeAndNewOnesAgain() throws Exception {
    ECKey key = key("a");
    publish(key);
    JwksKeys keys = keys(SECOND, Duration.ofSeconds(6));
    await().atMost(LIMIT).until(keys::isTrusted);
    assertThat(state(keys)).isEqualTo(State.UP);
    assertThat(keys.summary()).matches("1 key\\(s\\) of 127.0.0.1:\\d+, fetched \\d s ago");

    int port = issuer.keys().getPort();
    issuer.close();
    try (LogCapture log = LogCapture.begin()) {
      await().atMost(LIMIT).until(() -> keys.summary().contains("since then: "));
      assertThat(keys.isTrusted()).as("it has just begun to fail").isTrue();
      assertThat(state(keys)).isEqualTo(State.UP);
      await().atMost(LIMIT).until(() -> !keys.isTrusted());
      assertThat(keys.ageSeconds()).isGreaterThanOrEqualTo(6);
      assertThat(state(keys)).isEqualTo(State.DOWN);
      assertThat(keys.summary()).contains(" s ago, no longer trusted; since then: ");
      assertThat(catchThrowableOfType(Refusal.class, keys::generation).status()).isEqualTo(503);
      assertThat(log.of(JwksKeys.class.getName()))
          .hasSize(1)
          .allMatch(event -> event.getLevel() == Level.WARN);
    }

    issuer = Issuer.open(port);
    publish(key);
    await().atMost(LIMIT).until(keys::isTrusted);
    assertThat(keys.summary()).doesNotContain("since then");
    assertThat(keys.generation()).isZero();
  }

  @Test
  void shouldTakeTokensUntilTheirKeyIsWithdrawn() throws Exception {
    ECKey old = key("old");
    ECKey next = key("next");
    publish(old);
    JwksKeys keys = keys(SECOND, HOUR);
    await().atMost(LIMIT).until(keys::isTrusted);
    Identity identity = identity(keys);
    Request request = request(old);
    assertThat(identity.known(request)).isEmpty();
    assertThat(identity.verify(request).join()).isEqualTo(42);
    assertThat(identity.known(request)).hasValue(42);

    publish(old, next);
    await().atMost(LIMIT).until(() -> keys.summary().startsWith("2 key"));
    assertThat(identity.known(request)).as("a key that comes takes none away").hasValue(42);

    publish(next);
    await().atMost(LIMIT).until(() -> keys.summary().startsWith("1 key"));
    assertThat(identity.known(request)).isEmpty();
    assertThat(identity.verify(request)).failsWithin(LIMIT);
    assertThat(identity.verify(request(next)).join()).isEqualTo(42);
  }

  @Test
  void shouldTrustNothingWhereNoKeyCanBeUsed() throws Exception {
    publish(key("a"));
    JwksKeys keys = keys(SECOND, HOUR);
    await().atMost(LIMIT).until(keys::isTrusted);
    issuer.publish("{\"keys\":[]}");
    await().atMost(LIMIT).until(() -> state(keys) == State.DOWN);
    assertThat(keys.summary()).startsWith("0 key(s) of");
  }

  @Test
  void shouldNotLetTokensOfUnknownKeysHurryTheIssuer() throws Exception {
    publish(key("a"));
    JwksKeys keys = keys(Duration.ofMinutes(5), HOUR);
    await().atMost(LIMIT).until(keys::isTrusted);
    Identity identity = identity(keys);
    long begun = System.nanoTime();
    ECKey unknown = key("unknown");
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              assertThat(identity.verify(request(unknown))).failsWithin(LIMIT);
              return System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(5);
            });
    assertThat(issuer.fetches()).isBetween(2, 4);
  }

  @Test
  void shouldRefuseAnAgeThatNoKeyReaches() {
    assertThatIllegalArgumentException().isThrownBy(() -> keys(SECOND, SECOND));
    assertThatIllegalArgumentException().isThrownBy(() -> keys(Duration.ZERO, HOUR));
  }

  private JwksKeys keys(Duration refresh, Duration maxAge) throws Exception {
    JwksKeys keys = new JwksKeys(camel, new PublishedKeys(issuer.keys()), refresh, maxAge);
    camel.addService(keys);
    return keys;
  }

  private Identity identity(JwksKeys keys) throws Exception {
    JwtIdentity identity =
        new JwtIdentity(
            camel,
            new JwtSettings("i", "shop", Set.of(JWSAlgorithm.ES256), Duration.ofSeconds(30)),
            keys,
            new JwtIdentity.Bounds(0, 500, 1000),
            new SeckillMetrics(new SimpleMeterRegistry()));
    camel.addService(identity);
    return identity;
  }

  private void publish(ECKey... keys) throws IOException {
    issuer.publish(new JWKSet(Arrays.asList(keys)).toString());
  }

  private static State state(JwksKeys keys) {
    return new KeysHealthCheck(keys).call().getState();
  }

  private static ECKey key(String id) throws Exception {
    return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
  }

  private static Request request(ECKey key) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
            new JWTClaimsSet.Builder()
                .issuer("i")
                .audience("shop")
                .subject("42")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build());
    token.sign(new ECDSASigner(key));
    return PurchaseReaderTest.request("1", "", "Authorization", "Bearer " + token.serialize());
  }
}
