package io.seckill.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.text.ParseException;
import java.util.List;
import java.util.Set;

/**
 * The user id that a signed token names as its {@code sub} ({@code seckill.identity=jwt}): {@code
 * Authorization: Bearer <token>}. Signature, algorithm, iss, aud, exp and nbf are checked. Never
 * blocks, as long as the key source does not.
 */
public final class JwtIdentity implements Identity {
  private static final String HEADER = "Authorization";
  private static final String SCHEME = "Bearer ";

  private static final Refusal NONE =
      Refusal.of(401, "UNAUTHENTICATED", "The request carries no identity.")
          .challenge("Bearer realm=\"seckill\"");
  private static final Refusal INVALID =
      Refusal.of(401, "UNAUTHENTICATED", "The token is not valid.")
          .challenge("Bearer realm=\"seckill\", error=\"invalid_token\"");

  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  /**
   * @param keys answers from memory
   */
  public JwtIdentity(JwtSettings settings, JWKSource<SecurityContext> keys) {
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(settings.algorithms(), keys));
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            Set.of(settings.audience()),
            new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
            Set.of("sub", "exp"),
            Set.of());
    claims.setMaxClockSkew(Math.toIntExact(settings.clockSkew().toSeconds()));
    processor.setJWTClaimsSetVerifier(claims);
  }

  /**
   * {@inheritDoc}
   *
   * @throws Refusal 401 UNAUTHENTICATED without one Authorization header with a valid token whose
   *     sub is a positive BIGINT; 503 DEGRADED while no key could be loaded
   */
  @Override
  public long userId(Request request) {
    List<String> values = request.headers(HEADER);
    if (values.size() != 1 || !values.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw NONE;
    }
    try {
      JWTClaimsSet claims =
          processor.process(values.get(0).substring(SCHEME.length()).strip(), null);
      long userId = PositiveId.parse(claims.getSubject());
      if (userId == PositiveId.INVALID) {
        throw INVALID;
      }
      return userId;
    } catch (BadJOSEException | JOSEException | ParseException e) {
      throw INVALID;
    }
  }
}
