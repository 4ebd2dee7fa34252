package io.seckill.identity;

import com.nimbusds.jose.JWSAlgorithm;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.StartRefusedException;
import io.seckill.metrics.SeckillMetrics;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheckRegistry;

/** Makes the {@link Identity} that {@code seckill.identity} and {@code seckill.jwt.*} configure. */
public final class Identities {
  private static final int MIN_SECRET_BYTES = 32;

  private final CamelContext context;
  private final SeckillMetrics metrics;

  public Identities(CamelContext context, SeckillMetrics metrics) {
    this.context = context;
    this.metrics = metrics;
  }

  /**
   * The configured identity.
   *
   * @throws StartRefusedException when the properties contradict each other
   */
  public Identity configured() throws Exception {
    String kind = property("seckill.identity");
    try {
      return switch (kind) {
        case "header" -> new HeaderIdentity();
        case "jwt" -> jwt();
        default ->
            throw new IllegalArgumentException(
                "seckill.identity must be header or jwt, not '" + kind + "'");
      };
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(e.getMessage() + ".", e);
    }
  }

  private Identity jwt() throws Exception {
    JwtSettings settings =
        new JwtSettings(
            property("seckill.jwt.issuer"),
            property("seckill.jwt.audience"),
            Arrays.stream(property("seckill.jwt.algorithms").split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(JWSAlgorithm::parse)
                .collect(Collectors.toSet()),
            seconds("seckill.jwt.clock-skew"));
    TokenKeys keys = settings.isSharedSecret() ? secret() : published();
    JwtIdentity identity =
        new JwtIdentity(
            context,
            settings,
            keys,
            new JwtIdentity.Bounds(
                Math.toIntExact(number("seckill.jwt.verifiers")),
                Math.toIntExact(number("seckill.jwt.queue")),
                number("seckill.jwt.remembered")),
            metrics);
    context.addService(identity);
    return identity;
  }

  private TokenKeys secret() {
    byte[] secret = property("seckill.jwt.secret").getBytes(StandardCharsets.UTF_8);
    if (secret.length < MIN_SECRET_BYTES) {
      throw new IllegalArgumentException(
          "seckill.jwt.secret must have at least " + MIN_SECRET_BYTES + " bytes");
    }
    return TokenKeys.ofSecret(secret);
  }

  private TokenKeys published() throws Exception {
    String location = property("seckill.jwt.jwks");
    if (location.isEmpty()) {
      throw new IllegalArgumentException(
          "seckill.jwt.jwks must be set: the URL or file of the issuer's public keys");
    }
    JwksKeys keys =
        new JwksKeys(
            context,
            new PublishedKeys(uri(location)),
            seconds("seckill.jwt.jwks-refresh"),
            seconds("seckill.jwt.jwks-max-age"));
    context.addService(keys);
    HealthCheckRegistry.get(context).register(new KeysHealthCheck(keys));
    MeterRegistry meters = context.getRegistry().findSingleByType(MeterRegistry.class);
    if (meters != null) {
      Gauge.builder("seckill.jwks.age", keys, JwksKeys::ageSeconds)
          .baseUnit("seconds")
          .description("Seconds since the issuer's public keys were fetched")
          .register(meters);
    }
    return keys;
  }

  private static URI uri(String location) {
    try {
      return new URI(location);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("seckill.jwt.jwks is not a URL: " + e.getMessage(), e);
    }
  }

  private Duration seconds(String name) {
    return Duration.ofSeconds(number(name));
  }

  private long number(String name) {
    String text = property(name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number, not '" + text + "'", e);
    }
  }

  private String property(String name) {
    return context.getPropertiesComponent().resolveProperty(name).orElse("").strip();
  }
}
