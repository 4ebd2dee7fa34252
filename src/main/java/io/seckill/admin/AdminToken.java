package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.http.SharedSecret;

/**
 * The token of {@code seckill.admin.token}, which every administrative call presents as {@code
 * Authorization: Bearer <token>}. It is compared in constant time.
 */
public final class AdminToken {
  private static final String SCHEME = "Bearer ";

  private final SharedSecret secret;

  /**
   * A guard for this token.
   *
   * @throws IllegalArgumentException when the token is empty
   */
  public AdminToken(String token) {
    if (token == null || token.isBlank()) {
      throw new IllegalArgumentException("seckill.admin.token must not be empty");
    }
    this.secret = new SharedSecret(token);
  }

  /**
   * Lets a call pass that shows the token.
   *
   * @param authorization the Authorization header; null where there was none, not a text where the
   *     header came more than once
   * @throws Refusal 401 UNAUTHENTICATED otherwise
   */
  public void require(Object authorization) {
    if (!(authorization instanceof String header)
        || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw refusal("An administrative call needs 'Authorization: Bearer <token>'.", "");
    }
    if (!secret.matches(header.substring(SCHEME.length()).strip())) {
      throw refusal("The admin token is not valid.", ", error=\"invalid_token\"");
    }
  }

  private static Refusal refusal(String detail, String error) {
    return Refusal.of(401, "UNAUTHENTICATED", detail)
        .challenge("Bearer realm=\"seckill-admin\"" + error);
  }
}
