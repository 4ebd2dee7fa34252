package io.seckill.domain;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client's idempotency key: 1 to 40 of {@code A-Z a-z 0-9 . _ : -}. It may be sent as it is, or
 * in quotes as a String of RFC 8941, the form of draft-ietf-httpapi-idempotency-key-header: both
 * name the same key.
 */
public final class ClientKey {
  /** What a key must be, for problems that say so. */
  public static final String RULE = "1 to 40 of A-Z a-z 0-9 . _ : -, with or without quotes";

  private static final int MAX_LENGTH = 40;

  private ClientKey() {}

  /** The key that a value names; empty when it names none. */
  public static Optional<String> parse(String value) {
    int length = value.length();
    boolean quoted = length > 1 && value.charAt(0) == '"' && value.charAt(length - 1) == '"';
    String key = quoted ? value.substring(1, length - 1) : value;
    return isValid(key) ? Optional.of(key) : Optional.empty();
  }

  private static boolean isValid(String key) {
    if (key.isEmpty() || key.length() > MAX_LENGTH) {
      return false;
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean letterOrDigit = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (!letterOrDigit && c != '.' && c != '_' && c != ':' && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** A key for a client who sent none. It need not be secret: keys are looked up per user. */
  public static String random() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return Long.toUnsignedString(random.nextLong(), 36)
        + "-"
        + Long.toUnsignedString(random.nextLong(), 36);
  }
}
