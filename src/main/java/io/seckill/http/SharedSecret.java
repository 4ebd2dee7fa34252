package io.seckill.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A secret that a caller shows. The comparison takes the same time however much of a guess is
 * right, and however long it is.
 */
public final class SharedSecret {
  private final byte[] expected;

  /**
   * Keeps the secret's digest. White space around it does not count: a file that holds a secret
   * often ends with a newline.
   *
   * @throws IllegalArgumentException when the secret is blank
   */
  public SharedSecret(String secret) {
    if (secret == null || secret.isBlank()) {
      throw new IllegalArgumentException("A secret must not be blank");
    }
    this.expected = digest(secret.strip());
  }

  /** Whether this is the secret. */
  public boolean matches(String guess) {
    return guess != null && MessageDigest.isEqual(expected, digest(guess));
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java platform", e);
    }
  }
}
