package io.seckill.domain;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client's idempotency key: 1 to 40 of {@code A-Z a-z 0-9 . _ : -}. A client sends it bare, or in
 * quotes as a String of RFC 8941 (draft-ietf-httpapi-idempotency-key-header). Both forms name the
 * same key.
 */
public final class ClientKey {
  /** The rule for a key, as problem details quote it. */
  public static final String RULE = "1 to 40 of A-Z a-z 0-9 . _ : -, with or without quotes";

  private static final int MAX_LENGTH = 40;

  private ClientKey() {}

  /** The key in a header or parameter value; empty when the value is not a valid key. */
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

  /** Makes a key for a client who sent none. It need not be secret: keys are looked up per user. */
  public static String random() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return Long.toUnsignedString(random.nextLong(), 36)
        + "-"
        + Long.toUnsignedString(random.nextLong(), 36);
  }
}
