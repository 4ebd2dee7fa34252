package io.seckill.identity;

import com.nimbusds.jose.JWSAlgorithm;
import java.time.Duration;
import java.util.Set;

/**
 * The rules that a token must meet ({@code seckill.jwt.*}).
 *
 * @param issuer the only iss accepted
 * @param audience must be one of the token's aud
 * @param algorithms the only values of alg accepted: either HS256/384/512 or public-key ones, not
 *     both
 * @param clockSkew tolerance for exp and nbf
 */
public record JwtSettings(
    String issuer, String audience, Set<JWSAlgorithm> algorithms, Duration clockSkew) {

  public JwtSettings {
    require(!issuer.isBlank(), "seckill.jwt.issuer must be set");
    require(!audience.isBlank(), "seckill.jwt.audience must be set");
    require(!algorithms.isEmpty(), "seckill.jwt.algorithms must be set");
    boolean shared = algorithms.stream().allMatch(JWSAlgorithm.Family.HMAC_SHA::contains);
    boolean keyPairs = algorithms.stream().allMatch(JWSAlgorithm.Family.SIGNATURE::contains);
    require(
        shared || keyPairs,
        "seckill.jwt.algorithms must be of one kind: HS256 ..., or RS256, PS256, ES256 ...");
    algorithms = Set.copyOf(algorithms);
  }

  /** Whether tokens are signed with a shared secret. */
  boolean isSharedSecret() {
    return algorithms.stream().allMatch(JWSAlgorithm.Family.HMAC_SHA::contains);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
