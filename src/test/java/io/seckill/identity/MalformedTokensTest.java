package io.seckill.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seckill.answer.Refusal;
import io.seckill.api.PurchaseReaderTest;
import io.seckill.http.Request;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.testing.LogCapture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;

/** Whatever a client sends for a token is 401 and counted, and nothing of it is logged. */
class MalformedTokensTest {
  private static final MeterRegistry METERS = new SimpleMeterRegistry();
  private static final List<String> HEADER_NAMES =
      List.of(
          "alg", "kid", "typ", "cty", "crit", "jwk", "jku", "x5u", "x5c", "x5t", "b64", "enc",
          "zip");
  private static final List<String> CLAIM_NAMES =
      List.of("sub", "exp", "nbf", "iat", "iss", "aud", "jti", "other");

  private static CamelContext camel;
  private static ECKey key;
  private static Identity identity;
  private static Path file;

  @BeforeContainer
  static void start() throws Exception {
    key = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    file = Files.createTempFile("keys", ".json");
    Files.writeString(file, new JWKSet(key.toPublicJWK()).toString());
    camel = new DefaultCamelContext();
    camel.start();
    JwksKeys keys =
        new JwksKeys(
            camel, new PublishedKeys(file.toUri()), Duration.ofMinutes(5), Duration.ofHours(1));
    camel.addService(keys);
    await().atMost(60, TimeUnit.SECONDS).until(keys::isTrusted);
    JwtIdentity jwt =
        new JwtIdentity(
            camel,
            new JwtSettings(
                "https://issuer.example",
                "shop",
                Set.of(JWSAlgorithm.ES256),
                Duration.ofSeconds(30)),
            keys,
            new JwtIdentity.Bounds(0, 500, 1000),
            new SeckillMetrics(METERS));
    camel.addService(jwt);
    identity = jwt;
  }

  @AfterContainer
  static void stop() throws Exception {
    camel.stop();
    Files.delete(file);
  }

  @Example
  void shouldTakeTheTokenThatTheOthersAreMadeFrom() throws Exception {
    assertThat(identity.verify(request(signed(claims("sub", "\"42\"")))).join()).isEqualTo(42);
  }

  @Example
  void shouldRefuseWhatIsNoToken() throws Exception {
    List<String> tokens =
        new ArrayList<>(
            List.of(
                "bnVsbA.e30.AA",
                "",
                ".",
                "..",
                "...",
                "....",
                "a",
                "a.b.c",
                "a.b.c.d.e",
                "e30.e30.e30",
                "bnVsbA..",
                "=.=.=",
                "%.%.%",
                "ä.ö.ü",
                "e30.e30.AA AA",
                "e30.e30.AA,Bearer e30.e30.AA",
                "null",
                "undefined",
                "A".repeat(8000),
                ".".repeat(8000)));
    for (String header :
        List.of(
            "null",
            "[]",
            "1",
            "\"s\"",
            "true",
            "",
            " ",
            "{",
            "{}}",
            "{\"alg\":null}",
            "{\"alg\":1}",
            "{\"alg\":{}}",
            "{\"alg\":[]}",
            "{\"alg\":\"\"}",
            "{\"alg\":\"none\"}",
            "{\"alg\":\"nOnE\"}",
            "{\"alg\":\"HS256\"}",
            "{\"alg\":\"ES256K\"}",
            "{\"alg\":\"ES256\",\"kid\":1}",
            "{\"alg\":\"ES256\",\"kid\":null}",
            "{\"alg\":\"ES256\",\"kid\":\"../../etc/passwd\"}",
            "{\"alg\":\"ES256\",\"typ\":1}",
            "{\"alg\":\"ES256\",\"crit\":[]}",
            "{\"alg\":\"ES256\",\"crit\":[\"exp\"]}",
            "{\"alg\":\"ES256\",\"crit\":[null]}",
            "{\"alg\":\"ES256\",\"crit\":{}}",
            "{\"alg\":\"ES256\",\"b64\":false,\"crit\":[\"b64\"]}",
            "{\"alg\":\"ES256\",\"b64\":\"x\"}",
            "{\"alg\":\"ES256\",\"jwk\":null}",
            "{\"alg\":\"ES256\",\"jwk\":{}}",
            "{\"alg\":\"ES256\",\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-999\",\"x\":\"AA\",\"y\":\"AA\"}}",
            "{\"alg\":\"ES256\",\"jku\":\":\"}",
            "{\"alg\":\"ES256\",\"x5u\":1}",
            "{\"alg\":\"ES256\",\"x5c\":[1,null,{}]}",
            "{\"alg\":\"ES256\",\"x5c\":[\"AA==\"]}",
            "{\"alg\":\"ES256\",\"alg\":\"none\"}",
            "{\"alg\":\"dir\",\"enc\":\"A128GCM\",\"zip\":\"DEF\"}",
            "{\"alg\":\"ES256\",\"n\":1e999999999}",
            "{\"alg\":\"ES256\",\"n\":" + "9".repeat(5000) + "}",
            "{\"alg\":\"ES256\",\"n\":" + "[".repeat(5000) + "}",
            "{\"alg\":\"ES256\",\"n\":" + "[".repeat(2000) + "]".repeat(2000) + "}",
            "{\"a\":".repeat(1000) + "1" + "}".repeat(1000))) {
      tokens.add(base64(header) + ".e30.AA");
      tokens.add(base64(header) + "." + base64(claims("sub", "\"42\"")) + "." + "A".repeat(86));
      tokens.add(base64(header) + ".....");
      tokens.add(base64(header) + ".AA.AA.AA.AA");
    }
    for (String payload :
        List.of(
            "null", "[]", "1", "\"s\"", "", "{", "{}", "[".repeat(3000), "\u0000", "{\"sub\"}")) {
      tokens.add(signed(payload));
    }
    for (String value :
        List.of(
            "null",
            "1",
            "-1",
            "1.5",
            "true",
            "\"\"",
            "\"x\"",
            "[]",
            "{}",
            "[null]",
            "[[1]]",
            "1e400",
            "-1e400",
            "9".repeat(400),
            "\"\u0000\"",
            "\"\\ud800\"")) {
      for (String claim : List.of("sub", "exp", "iss", "aud")) {
        if (!(claim.equals("sub") && value.equals("1"))) {
          tokens.add(signed(claims(claim, value)));
        }
      }
    }
    try (LogCapture log = LogCapture.begin()) {
      for (String token : tokens) {
        assertRefused(token);
      }
      assertThat(log.all()).isEmpty();
    }
  }

  @Property(tries = 500)
  void shouldRefuseAnyText(@ForAll String token) {
    assertRefused(token);
  }

  @Property(tries = 1000)
  void shouldRefuseAnyHeader(@ForAll("headers") String header) {
    assertRefused(base64(header) + "." + base64(claims("sub", "\"42\"")) + "." + "A".repeat(86));
  }

  @Property(tries = 300)
  void shouldRefuseAnyClaimsWithoutTheRightOnes(@ForAll("claims") String claims) throws Exception {
    assertRefused(signed(claims));
  }

  @Provide
  Arbitrary<String> headers() {
    return objects(HEADER_NAMES);
  }

  @Provide
  Arbitrary<String> claims() {
    return objects(CLAIM_NAMES);
  }

  private static Arbitrary<String> objects(List<String> names) {
    Arbitrary<String> member =
        Combinators.combine(Arbitraries.of(names), values())
            .as((name, value) -> "\"" + name + "\":" + value);
    return member.list().ofMaxSize(5).map(members -> "{" + String.join(",", members) + "}");
  }

  private static Arbitrary<String> values() {
    Arbitrary<String> simple =
        Arbitraries.oneOf(
            Arbitraries.of(
                "null",
                "true",
                "{}",
                "[]",
                "\"ES256\"",
                "\"ec\"",
                "\"JWT\"",
                "\"P-256\"",
                "\"b64\"",
                "1e400"),
            Arbitraries.longs().map(String::valueOf),
            Arbitraries.strings().alpha().ofMaxLength(20).map(text -> "\"" + text + "\""));
    return Arbitraries.lazyOf(
        () -> simple,
        () -> values().list().ofMaxSize(3).map(list -> "[" + String.join(",", list) + "]"),
        () -> values().map(value -> "{\"kty\":" + value + "}"));
  }

  private static void assertRefused(String token) {
    double before = refused();
    Refusal refusal = refusal(request(token));
    assertThat(refusal).as(token).isNotNull();
    assertThat(refusal.status()).as(token).isEqualTo(401);
    assertThat(refusal.code()).isEqualTo("UNAUTHENTICATED");
    assertThat(refused()).as(token).isEqualTo(before + 1);
  }

  private static Refusal refusal(Request request) {
    try {
      assertThat(identity.known(request)).isEmpty();
      identity.verify(request).join();
      return null;
    } catch (Refusal refusal) {
      return refusal;
    } catch (CompletionException e) {
      if (e.getCause() instanceof Refusal refusal) {
        return refusal;
      }
      throw e;
    }
  }

  private static double refused() {
    return METERS.get("seckill.tokens").counters().stream()
        .filter(
            counter ->
                List.of("EXPIRED", "INVALID", "MALFORMED")
                    .contains(counter.getId().getTag("outcome")))
        .mapToDouble(Counter::count)
        .sum();
  }

  private static String claims(String name, String value) {
    List<String> members =
        new ArrayList<>(
            List.of(
                "\"iss\":\"https://issuer.example\"",
                "\"aud\":\"shop\"",
                "\"sub\":\"42\"",
                "\"exp\":" + Date.from(Instant.now().plusSeconds(600)).getTime() / 1000));
    members.removeIf(member -> member.startsWith("\"" + name + "\""));
    members.add("\"" + name + "\":" + value);
    return "{" + String.join(",", members) + "}";
  }

  private static String signed(String payload) throws Exception {
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec").build(), new Payload(payload));
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Request request(String token) {
    return PurchaseReaderTest.request("1", "", "Authorization", "Bearer " + token);
  }
}
