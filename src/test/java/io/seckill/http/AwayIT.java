package io.seckill.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.Shop.Reply;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What buyers are answered while a server is away, or a pool is full, or identity is a token. */
class AwayIT {
  private static final long USER = 4713;

  @Test
  void shouldRefuseWhileRedisIsAwayAndSellAgainAfterwards() {
    try (TestApplication application =
        TestApplication.start(Map.of("seckill.throttle.user-rate", "0"))) {
      Shop shop = application.shop();
      long product = new Sales(application).open(10);
      String requestId = shop.buy(product, USER, "k1").requestId();
      TestServers.get().redis().stop();
      try {
        for (int i = 0; i < 30; i++) {
          assertDegraded(shop.buy(product, USER + 1, "k2"), "k2");
        }
        assertDegraded(shop.result(USER, "k1", product), null);
        assertThat(shop.sale(product).status()).isEqualTo(200);
      } finally {
        TestServers.get().redis().start();
      }
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> shop.buy(product, USER + 1, "k2").status() == 202);
      Reply again = shop.buy(product, USER, "k1");
      assertThat(again.requestId()).isEqualTo(requestId);
      assertThat(shop.result(USER, "k1", product).status()).isEqualTo(200);
    }
  }

  @Test
  void shouldSellAndTellWhatBooksHoldWhileMySqlIsAway() {
    try (TestApplication application =
        TestApplication.start(Map.of("seckill.throttle.user-rate", "0"))) {
      Shop shop = application.shop();
      long product = new Sales(application).open(10);
      TestServers.get().mysql().stop();
      try {
        assertThat(shop.buy(product, USER, "k1").status()).isEqualTo(202);
        Reply pending = shop.result(USER, "k1", product);
        assertThat(pending.status()).isEqualTo(200);
        assertThat(pending.member("status")).isEqualTo("PENDING");
        for (int i = 0; i < 15; i++) {
          assertDegraded(shop.result(USER, "unknown" + i, product), null);
        }
        assertThat(shop.sale(product).status()).isEqualTo(200);
      } finally {
        TestServers.get().mysql().start();
      }
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> shop.result(USER, "unknown", product).status() == 404);
    }
  }

  @Test
  void shouldRefuseWhatTheWorkersHaveNoRoomFor() {
    try (TestApplication application =
        TestApplication.start(Map.of("seckill.result.workers", "1", "seckill.result.queue", "1"))) {
      Shop shop = application.shop();
      long product = new Sales(application).open(10);
      List<Reply> replies = shop.floodOfUnknown(500, product);
      assertThat(replies).allMatch(reply -> reply.status() == 404 || reply.status() == 503);
      Reply refused =
          replies.stream().filter(reply -> reply.status() == 503).findFirst().orElseThrow();
      assertDegraded(refused, null);
    }
  }

  @Test
  void shouldIdentifyByToken() throws Exception {
    String secret = "a-secret-that-only-the-issuer-and-we-know";
    try (TestApplication application =
        TestApplication.start(
            Map.of(
                "seckill.identity", "jwt",
                "seckill.jwt.issuer", "https://issuer.example",
                "seckill.jwt.audience", "shop",
                "seckill.jwt.algorithms", "HS256",
                "seckill.jwt.secret", secret))) {
      Shop shop = application.shop();
      long product = new Sales(application).open(10);
      assertThat(shop.buy(product, USER).status()).isEqualTo(401);
      Reply reply =
          shop.send(
              shop.request("/seckill/" + product)
                  .header("Authorization", "Bearer " + token(secret))
                  .header("X-User-Id", "1")
                  .POST(BodyPublishers.noBody())
                  .build());
      assertThat(reply.status()).isEqualTo(202);
      assertThat(reply.requestId()).startsWith(product + "-" + USER + "-");
    }
  }

  @Test
  void shouldNotKnowWhetherAProductExistsWhileTheListOfSalesIsMissing() {
    try (TestApplication application =
        TestApplication.start(Map.of("seckill.sale.watch-period", "100"))) {
      assertThat(application.shop().buy(Products.next(), USER).status()).isIn(404, 503);
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> application.shop().buy(Products.next(), USER).status() == 404);
    }
  }

  private static String token(String secret) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256),
            new JWTClaimsSet.Builder()
                .issuer("https://issuer.example")
                .audience("shop")
                .subject("" + USER)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build());
    token.sign(new MACSigner(secret));
    return token.serialize();
  }

  private static void assertDegraded(Reply reply, String key) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(503);
    assertThat(reply.code()).isEqualTo("DEGRADED");
    assertThat(reply.header("Retry-After")).contains("1");
    assertThat(reply.member("idemKey")).isEqualTo(key);
  }
}
