package io.seckill.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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

  private SharedSecret(byte[] expected) {
    this.expected = expected;
  }

  /** The secret with this SHA-256. */
  static SharedSecret ofHash(byte[] sha256) {
    return new SharedSecret(sha256);
  }

  /** The SHA-256 of a secret, in hexadecimal. */
  static String hash(String secret) {
    return HexFormat.of().formatHex(digest(secret));
  }

  /** Whether the guess is the secret. */
  public boolean matches(String guess) {
    return guess != null && matches(digest(guess));
  }

  /** Whether the guess with this {@link #digest} is the secret. */
  boolean matches(byte[] guess) {
    return MessageDigest.isEqual(expected, guess);
  }

  /** The SHA-256 of a text in UTF-8. */
  static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java platform", e);
    }
  }
}
