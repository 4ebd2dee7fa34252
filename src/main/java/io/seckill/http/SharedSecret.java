package io.seckill.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A secret that callers must present. A comparison takes the same time for every guess, so that its
 * duration reveals nothing.
 */
public final class SharedSecret {
  private final byte[] expected;

  /**
   * Keeps the secret's digest. White space around it is dropped, because a file with a secret often
   * ends with a newline.
   *
   * @throws IllegalArgumentException when the secret is blank
   */
  public SharedSecret(String secret) {
    if (secret == null || secret.isBlank()) {
      throw new IllegalArgumentException("A secret must not be blank");
    }
    this.expected = digest(secret.strip());
  }

  /** Whether the guess is the secret. */
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
