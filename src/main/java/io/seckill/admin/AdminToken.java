package io.seckill.admin;

import io.seckill.http.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The token of {@code seckill.admin.token}, which every administrative call presents as {@code
 * Authorization: Bearer <token>}. The comparison takes the same time however much of a guess is
 * right, and however long it is.
 */
public final class AdminToken {
  private static final String SCHEME = "Bearer ";

  private final byte[] expected;

  /**
   * A guard for this token.
   *
   * @throws IllegalArgumentException when the token is empty
   */
  public AdminToken(String token) {
    if (token == null || token.isBlank()) {
      throw new IllegalArgumentException("seckill.admin.token must not be empty");
    }
    this.expected = digest(token);
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
    if (!matches(header.substring(SCHEME.length()).strip())) {
      throw refusal("The admin token is not valid.", ", error=\"invalid_token\"");
    }
  }

  /** Whether this is the token. */
  public boolean matches(String token) {
    return token != null && MessageDigest.isEqual(expected, digest(token));
  }

  private static Refusal refusal(String detail, String error) {
    return Refusal.of(401, "UNAUTHENTICATED", detail)
        .challenge("Bearer realm=\"seckill-admin\"" + error);
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java platform", e);
    }
  }
}
