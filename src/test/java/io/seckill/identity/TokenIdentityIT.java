package io.seckill.identity;

import static org.assertj.core.api.Assertions.assertThat;
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
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.seckill.embedded.Ports;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Certificate;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buyers who show tokens, to the application as it is started. */
class TokenIdentityIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CROWD = 2_000;

  private static ECKey key;
  private static ECKey next;
  private static ECKey stranger;

  @TempDir private Path directory;

  @BeforeAll
  static void makeKeys() throws Exception {
    key = new ECKeyGenerator(Curve.P_256).keyID("a").generate();
    next = new ECKeyGenerator(Curve.P_256).keyID("b").generate();
    stranger = new ECKeyGenerator(Curve.P_256).keyID("a").generate();
  }

  @Test
  void shouldNotBeReadyWhileTheIssuerIsAwayAndSellOnceItIsBackElsewhere() throws Exception {
    int port = Ports.free();
    try (ApplicationProcess application = application("http://localhost:" + port + "/old")) {
      application.launch();
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                HttpResponse<String> health = Health.of(application.managementUrl());
                assertThat(health.statusCode()).isEqualTo(503);
                assertThat(health.body())
                    .contains("no keys of localhost:" + port + ": no connection to localhost");
              });
      Shop shop = application.shop();
      long product = Products.next();
      Reply away =
          await()
              .atMost(LIMIT)
              .until(
                  () -> buy(shop, product, token(key, 1)),
                  reply -> !"UNAVAILABLE".equals(reply.code()));
      assertThat(away.status()).isEqualTo(503);
      assertThat(away.code()).isEqualTo("DEGRADED");

      try (Issuer issuer = Issuer.open(port)) {
        issuer.redirect("/old", 301, "/keys");
        issuer.publish(
            new JWKSet(key.toPublicJWK())
                .toString()
                .replace(
                    "{\"keys\":[",
                    "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-999\",\"x\":\"AA\",\"y\":\"AA\",\"kid\":\"x\"},"));
        Health.awaitUp(application.managementUrl());
        assertThat(Health.of(application.managementUrl()).body()).contains("1 key(s) of");
        assertThat(shop.createSale(product, 10).status()).isEqualTo(201);
        Reply bought = buy(shop, product, token(key, 1));
        assertThat(bought.status()).as(bought.text()).isEqualTo(202);
        assertThat(bought.requestId()).startsWith(product + "-1-");

        assertThat(buy(shop, product, token(next, 2)).status()).isEqualTo(401);
        issuer.publish(new JWKSet(List.of(key.toPublicJWK(), next.toPublicJWK())).toString());
        await()
            .atMost(LIMIT)
            .until(() -> buy(shop, product, token(next, 2)).status(), status -> status == 202);
      }
      assertThat(application.output().lines().filter(line -> line.contains("key that is ignored")))
          .hasSize(1);
      assertThat(application.output()).doesNotContain("\tat ");
    }
  }

  @Test
  void shouldServeKnownBuyersWhileACrowdSendsTokensThatAreWorthNothing() throws Exception {
    Path file = directory.resolve("keys.json");
    Files.writeString(file, new JWKSet(key.toPublicJWK()).toString());
    try (ApplicationProcess application =
        application(
            file.toUri().toString(), "seckill.jwt.verifiers", "1", "seckill.jwt.queue", "20")) {
      application.start();
      Health.awaitUp(application.managementUrl());
      Shop shop = application.shop();
      long product = Products.next();
      assertThat(shop.createSale(product, 1_000).status()).isEqualTo(201);
      assertThat(buy(shop, product, "bnVsbA.e30.AA").status()).isEqualTo(401);
      List<String> buyers = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        String token = token(key, i);
        assertThat(result(shop, product, token).join().status()).isEqualTo(404);
        buyers.add(token);
      }

      List<CompletableFuture<Reply>> crowd = new ArrayList<>();
      List<CompletableFuture<Reply>> bought = new ArrayList<>();
      for (int i = 1; i <= CROWD; i++) {
        String worthless = token(stranger, i);
        crowd.add(
            i % 2 == 0 ? buyAsync(shop, product, worthless) : result(shop, product, worthless));
        if (i % 100 == 0) {
          bought.add(buyAsync(shop, product, buyers.get(i / 100 - 1)));
        }
      }

      assertThat(bought).allMatch(reply -> reply.join().status() == 202);
      List<Reply> refused = crowd.stream().map(CompletableFuture::join).toList();
      assertThat(refused).allMatch(reply -> reply.status() == 401 || reply.status() == 503);
      Reply busy =
          refused.stream().filter(reply -> reply.status() == 503).findFirst().orElseThrow();
      assertThat(busy.member("detail")).contains("Too many tokens wait to be verified");
      assertThat(busy.header("Retry-After")).contains("1");
      long invalid = refused.stream().filter(reply -> reply.status() == 401).count();
      String metrics = metrics(application);
      assertThat(counted(metrics, "INVALID")).isEqualTo(invalid);
      assertThat(counted(metrics, "BUSY")).isEqualTo(CROWD - invalid);
      assertThat(counted(metrics, "MALFORMED")).isEqualTo(1);
      assertThat(counted(metrics, "VERIFIED")).isEqualTo(20);
      assertThat(counted(metrics, "REMEMBERED")).isEqualTo(20);
      assertThat(metrics).contains("seckill_jwks_age_seconds");
      assertThat(application.output()).doesNotContain("\tat ").doesNotContain("ERROR");
    }
  }

  @Test
  void shouldJudgeTheAddressBeforeTheToken() throws Exception {
    Path file = directory.resolve("keys.json");
    Files.writeString(file, new JWKSet(key.toPublicJWK()).toString());
    try (ApplicationProcess application =
        application(file.toUri().toString(), "seckill.throttle.address-rate", "1")) {
      application.start();
      Health.awaitUp(application.managementUrl());
      Shop shop = application.shop();
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> buy(shop, 1, "bnVsbA.e30.AA"), reply -> reply.status() == 429);
      Reply lookup =
          await()
              .atMost(LIMIT)
              .pollInterval(Duration.ofMillis(1))
              .until(() -> result(shop, 1, "bnVsbA.e30.AA").join(), reply -> reply.status() == 429);
      assertThat(lookup.member("limit")).isEqualTo("address");
    }
  }

  @Test
  void shouldFollowAnHttpsIssuerButNeverToPlainHttp() throws Exception {
    Certificate certificate = Certificate.make(directory, "issuer");
    try (Issuer plain = Issuer.open();
        Issuer issuer = Issuer.of(https(certificate));
        ApplicationProcess application =
            application(
                issuer.at("/old").toString(),
                "javax.net.ssl.trustStore",
                certificate.truststore().toString(),
                "javax.net.ssl.trustStorePassword",
                Certificate.PASSWORD)) {
      plain.publish(new JWKSet(stranger.toPublicJWK()).toString());
      issuer.redirect("/old", 302, plain.keys().toString());
      issuer.publish(new JWKSet(key.toPublicJWK()).toString());
      application.launch();
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(Health.of(application.managementUrl()).body())
                      .contains(": a redirect to http at 127.0.0.1"));
      assertThat(plain.fetches()).isZero();
      issuer.redirect("/old", 302, "/keys");
      Health.awaitUp(application.managementUrl());
    }
  }

  @Test
  void shouldRefuseToStartWhereTheKeysWouldComeInClear() {
    try (ApplicationProcess application = application("http://192.0.2.1/keys")) {
      application.launch();
      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(application.output())
          .contains(
              "seckill.jwt.jwks must be an https or file URL, or http on loopback, not 'http://192.0.2.1/keys'.")
          .doesNotContain("\tat ");
    }
  }

  private ApplicationProcess application(String jwks, String... more) {
    Map<String, String> properties =
        new HashMap<>(
            Map.of(
                "seckill.identity", "jwt",
                "seckill.jwt.issuer", "https://issuer.example",
                "seckill.jwt.audience", "shop",
                "seckill.jwt.jwks", jwks));
    for (int i = 0; i < more.length; i += 2) {
      properties.put(more[i], more[i + 1]);
    }
    return ApplicationProcess.external(directory, properties);
  }

  private static HttpsServer https(Certificate certificate) throws Exception {
    KeyStore keys =
        KeyStore.getInstance(certificate.keystore().toFile(), Certificate.PASSWORD.toCharArray());
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, Certificate.PASSWORD.toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private static Reply buy(Shop shop, long product, String token) {
    return buyAsync(shop, product, token).join();
  }

  private static CompletableFuture<Reply> buyAsync(Shop shop, long product, String token) {
    return shop.sendAsync(
        shop.request("/seckill/" + product)
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.noBody())
            .build());
  }

  private static CompletableFuture<Reply> result(Shop shop, long product, String token) {
    return shop.sendAsync(
        shop.request("/seckill/result?idemKey=none&productId=" + product)
            .header("Authorization", "Bearer " + token)
            .GET()
            .build());
  }

  private static String metrics(ApplicationProcess application) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(application.managementUrl() + "/observe/metrics"))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static long counted(String metrics, String outcome) {
    return metrics
        .lines()
        .filter(line -> line.startsWith("seckill_tokens_total{outcome=\"" + outcome + "\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static String token(ECKey signer, long user) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(signer.getKeyID()).build(),
            new JWTClaimsSet.Builder()
                .issuer("https://issuer.example")
                .audience("shop")
                .subject("" + user)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build());
    token.sign(new ECDSASigner(signer));
    return token.serialize();
  }
}
