package io.seckill.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seckill.answer.Refusal;
import io.seckill.api.PurchaseReaderTest;
import io.seckill.http.Request;
import io.seckill.metrics.SeckillMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  private static RSAKey rsa;
  private static RSAKey otherRsa;
  private static ECKey ec;

  private static final MeterRegistry METERS = new SimpleMeterRegistry();

  private static CamelContext camel;
  private static Identity shared;

  @BeforeAll
  static void makeKeys() throws Exception {
    camel = new DefaultCamelContext();
    camel.start();
    shared =
        identity(
            camel, TokenKeys.ofSecret(SECRET.getBytes(StandardCharsets.UTF_8)), JWSAlgorithm.HS256);
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    otherRsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
  }

  @AfterAll
  static void stop() {
    camel.stop();
  }

  @Test
  void shouldTakeTheUserFromTheGatewaysHeader() {
    Identity identity = new HeaderIdentity();
    assertThat(userId(identity, request("X-User-Id", "7"))).isEqualTo(7);
    assertThat(userId(identity, request("x-user-id", "9223372036854775807")))
        .isEqualTo(Long.MAX_VALUE);
    assertRefused(identity, 401, request());
    assertRefused(identity, 401, request("X-User-Id", ""));
    assertRefused(identity, 401, request("X-User-Id", "1", "X-User-Id", "1"));
    assertRefused(identity, 401, request("Authorization", "Bearer x"));
    assertRefused(identity, 400, request("X-User-Id", "0"));
    assertRefused(identity, 400, request("X-User-Id", "1,2"));
  }

  @Test
  void shouldTakeTheSubjectOfATokenWithASharedSecret() throws Exception {
    Identity identity = shared();
    assertThat(userId(identity, bearer(hmac(claims -> claims)))).isEqualTo(42);
    assertThat(userId(identity, request("authorization", "bearer " + hmac(claims -> claims))))
        .isEqualTo(42);
  }

  @Test
  void shouldTakeNothingElseForAnIdentityInJwtMode() throws Exception {
    String token = hmac(claims -> claims);
    assertRefused(shared(), 401, request("X-User-Id", "7"));
    assertRefused(shared(), 401, request());
    assertRefused(shared(), 401, request("Authorization", token));
    assertRefused(shared(), 401, request("Authorization", "Basic " + token));
    assertRefused(shared(), 401, request("Authorization", "Bearer "));
    assertRefused(shared(), 401, request("Authorization", "Bearer a.b.c"));
    assertRefused(
        shared(), 401, request("Authorization", "Bearer " + token, "Authorization", "Bearer x"));
  }

  @Test
  void shouldCheckEveryClaim() throws Exception {
    Instant now = Instant.now();
    List<UnaryOperator<JWTClaimsSet.Builder>> wrong =
        List.of(
            claims -> claims.issuer("https://evil.example"),
            claims -> claims.issuer(null),
            claims -> claims.audience("another"),
            claims -> claims.audience((String) null),
            claims -> claims.expirationTime(Date.from(now.minusSeconds(120))),
            claims -> claims.expirationTime(null),
            claims -> claims.notBeforeTime(Date.from(now.plusSeconds(120))),
            claims -> claims.subject("alice"),
            claims -> claims.subject("-1"),
            claims -> claims.subject("0"),
            claims -> claims.subject(null),
            claims -> claims.subject("42 "));
    for (int i = 0; i < wrong.size(); i++) {
      Refusal refusal = refusal(shared(), bearer(hmac(wrong.get(i))));
      assertThat(refusal).as("claim " + i).isNotNull();
      assertThat(refusal.status()).isEqualTo(401);
      assertThat(refusal.challenge()).get().asString().contains("invalid_token");
    }
    assertThat(
            userId(
                shared(),
                bearer(
                    hmac(
                        claims ->
                            claims
                                .audience(List.of("another", "shop"))
                                .expirationTime(Date.from(now.minusSeconds(5)))
                                .notBeforeTime(Date.from(now.plusSeconds(5)))))))
        .isEqualTo(42);
  }

  @Test
  void shouldCheckTheSignature() throws Exception {
    String token = hmac(claims -> claims);
    String[] parts = token.split("\\.");
    String otherClaims = hmac(claims -> claims.subject("43")).split("\\.")[1];
    assertRefused(shared(), 401, bearer(parts[0] + "." + otherClaims + "." + parts[2]));
    assertRefused(shared(), 401, bearer(parts[0] + "." + parts[1] + "."));
    assertRefused(
        shared(),
        new MACSigner("another-secret-another-secret-xx"),
        new JWSHeader(JWSAlgorithm.HS256));
    assertRefused(shared(), 401, bearer(new PlainJWT(claims(c -> c)).serialize()));
  }

  @Test
  void shouldTakeListedAlgorithmsOnly(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("jwks.json");
    OctetSequenceKey secret = new OctetSequenceKeyGenerator(256).keyID("oct").generate();
    Files.writeString(file, new JWKSet(List.of(rsa, ec, secret)).toString(false));
    try (CamelContext context = new DefaultCamelContext()) {
      Identity identity = keyPairs(context, file.toUri(), JWSAlgorithm.RS256);
      assertThat(userId(identity, bearer(rsa(rsa, JWSAlgorithm.RS256)))).isEqualTo(42);
      assertRefused(identity, 401, bearer(rsa(rsa, JWSAlgorithm.RS512)));
      assertRefused(identity, 401, bearer(ec()));
      assertRefused(identity, 401, bearer(rsa(otherRsa, JWSAlgorithm.RS256)));
      // the public key, or a key of the set, as the secret of a symmetric algorithm
      assertRefused(
          identity,
          new MACSigner(rsa.toRSAPublicKey().getEncoded()),
          new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build());
      assertRefused(
          identity,
          new MACSigner(secret),
          new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("oct").build());
      // a key that the token itself brings
      assertRefused(
          identity,
          new RSASSASigner(otherRsa),
          new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(otherRsa.toPublicJWK()).build());
      assertRefused(
          identity,
          new RSASSASigner(rsa),
          new JWSHeader.Builder(JWSAlgorithm.RS256)
              .keyID("rsa")
              .type(new JOSEObjectType("secevent+jwt"))
              .build());
      Identity elliptic = keyPairs(context, file.toUri(), JWSAlgorithm.ES256);
      assertThat(userId(elliptic, bearer(ec()))).isEqualTo(42);
    }
  }

  @Test
  void shouldFetchKeysAgainWhenATokenNamesAnUnknownOne() throws Exception {
    AtomicReference<String> keys = new AtomicReference<>(new JWKSet(ec.toPublicJWK()).toString());
    HttpServer issuer =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.createContext(
        "/keys",
        http -> {
          byte[] body = keys.get().getBytes(StandardCharsets.UTF_8);
          http.sendResponseHeaders(200, body.length);
          http.getResponseBody().write(body);
          http.close();
        });
    issuer.start();
    try (CamelContext context = new DefaultCamelContext()) {
      URI location = URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys");
      Identity identity = keyPairs(context, location, JWSAlgorithm.ES256, JWSAlgorithm.RS256);
      assertThat(userId(identity, bearer(ec()))).isEqualTo(42);
      assertRefused(identity, 401, bearer(rsa(rsa, JWSAlgorithm.RS256)));
      keys.set(new JWKSet(List.of(ec.toPublicJWK(), rsa.toPublicJWK())).toString());
      assertRefused(identity, 401, bearer(rsa(rsa, JWSAlgorithm.RS256)));
      await()
          .atMost(60, TimeUnit.SECONDS)
          .ignoreExceptions()
          .until(() -> userId(identity, bearer(rsa(rsa, JWSAlgorithm.RS256))) == 42);
    } finally {
      issuer.stop(0);
    }
  }

  @Test
  void shouldSay503WhileNoKeyCouldBeLoaded(@TempDir Path directory) throws Exception {
    try (CamelContext context = new DefaultCamelContext()) {
      context.start();
      Identity identity =
          identity(
              context, keys(context, directory.resolve("absent.json").toUri()), JWSAlgorithm.RS256);
      assertRefused(identity, 503, bearer(rsa(rsa, JWSAlgorithm.RS256)));
    }
  }

  @Test
  void shouldRefuseTokensThatItDoesNotGetToInTime() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    TokenKeys slow =
        new TokenKeys() {
          @Override
          public int generation() {
            return 0;
          }

          @Override
          public List<JWK> get(JWKSelector selector, SecurityContext none) {
            try {
              released.await();
              return List.of();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    Identity identity = identity(camel, slow, new JwtIdentity.Bounds(1, 1, 10), JWSAlgorithm.HS256);
    Request request = bearer(hmac(claims -> claims));
    CompletableFuture<Long> verified = identity.verify(request);
    await().atMost(60, TimeUnit.SECONDS).until(() -> takes(identity, request));
    long queued = System.nanoTime();
    assertThat(catchThrowableOfType(Refusal.class, () -> identity.verify(request)).status())
        .isEqualTo(503);
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> System.nanoTime() - queued > TimeUnit.MILLISECONDS.toNanos(500));
    double busy = METERS.get("seckill.tokens").tag("outcome", "BUSY").counter().count();
    released.countDown();
    assertThat(verified).failsWithin(Duration.ofSeconds(60));
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(
            () ->
                METERS.get("seckill.tokens").tag("outcome", "BUSY").counter().count() == busy + 1);
  }

  /** The one place in the queue is free once the thread has taken the token before. */
  private static boolean takes(Identity identity, Request request) {
    try {
      identity.verify(request);
      return true;
    } catch (Refusal busy) {
      return false;
    }
  }

  @Test
  void shouldRefuseSettingsThatProtectNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JwtSettings("", "shop", Set.of(JWSAlgorithm.RS256), Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JwtSettings("i", " ", Set.of(JWSAlgorithm.RS256), Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JwtSettings("i", "shop", Set.of(), Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new JwtSettings(
                    "i", "shop", Set.of(JWSAlgorithm.RS256, JWSAlgorithm.HS256), Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new JwtSettings("i", "shop", Set.of(JWSAlgorithm.parse("none")), Duration.ZERO));
  }

  private static JwtSettings settings(JWSAlgorithm... algorithms) {
    return new JwtSettings(
        "https://issuer.example", "shop", Set.of(algorithms), Duration.ofSeconds(30));
  }

  private static Identity shared() {
    return shared;
  }

  private static Identity identity(CamelContext context, TokenKeys keys, JWSAlgorithm... algorithms)
      throws Exception {
    return identity(context, keys, new JwtIdentity.Bounds(0, 500, 1000), algorithms);
  }

  private static Identity identity(
      CamelContext context, TokenKeys keys, JwtIdentity.Bounds bounds, JWSAlgorithm... algorithms)
      throws Exception {
    JwtIdentity identity =
        new JwtIdentity(context, settings(algorithms), keys, bounds, new SeckillMetrics(METERS));
    context.addService(identity);
    return identity;
  }

  private static JwksKeys keys(CamelContext context, URI location) throws Exception {
    JwksKeys keys =
        new JwksKeys(
            context, new PublishedKeys(location), Duration.ofMinutes(5), Duration.ofHours(1));
    context.addService(keys);
    return keys;
  }

  private static Identity keyPairs(CamelContext context, URI location, JWSAlgorithm... algorithms)
      throws Exception {
    context.start();
    JwksKeys keys = keys(context, location);
    await("the keys").atMost(60, TimeUnit.SECONDS).until(keys::isTrusted);
    return identity(context, keys, algorithms);
  }

  private static String hmac(UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
    return sign(new MACSigner(SECRET), new JWSHeader(JWSAlgorithm.HS256), change);
  }

  private static String rsa(RSAKey key, JWSAlgorithm algorithm) throws Exception {
    return sign(
        new RSASSASigner(key),
        new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(),
        claims -> claims);
  }

  private static String ec() throws Exception {
    return sign(
        new ECDSASigner(ec),
        new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec").build(),
        claims -> claims);
  }

  private static String sign(
      JWSSigner signer, JWSHeader header, UnaryOperator<JWTClaimsSet.Builder> change)
      throws Exception {
    SignedJWT token = new SignedJWT(header, claims(change));
    token.sign(signer);
    return token.serialize();
  }

  private static JWTClaimsSet claims(UnaryOperator<JWTClaimsSet.Builder> change) {
    return change
        .apply(
            new JWTClaimsSet.Builder()
                .issuer("https://issuer.example")
                .audience("shop")
                .subject("42")
                .expirationTime(Date.from(Instant.now().plusSeconds(600))))
        .build();
  }

  private static Request bearer(String token) {
    return request("Authorization", "Bearer " + token);
  }

  private static Request request(String... headers) {
    return PurchaseReaderTest.request("1", "", headers);
  }

  /** As the routes ask. */
  private static long userId(Identity identity, Request request) {
    OptionalLong known = identity.known(request);
    if (known.isPresent()) {
      return known.getAsLong();
    }
    try {
      return identity.verify(request).join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  private static Refusal refusal(Identity identity, Request request) {
    return catchThrowableOfType(Refusal.class, () -> userId(identity, request));
  }

  /** A token with good claims, so that signer or header are why it is refused. */
  private static void assertRefused(Identity identity, JWSSigner signer, JWSHeader header)
      throws Exception {
    assertRefused(identity, 401, bearer(sign(signer, header, claims -> claims)));
  }

  private static void assertRefused(Identity identity, int status, Request request) {
    Refusal refusal = refusal(identity, request);
    assertThat(refusal).isNotNull();
    assertThat(refusal.status()).isEqualTo(status);
    if (status == 401) {
      assertThat(refusal.code()).isEqualTo("UNAUTHENTICATED");
      assertThat(refusal.challenge()).isPresent();
    }
  }
}
