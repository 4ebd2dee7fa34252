package io.seckill.api;

import java.util.concurrent.ThreadLocalRandom;

/** A client's idempotency key: 1 to 40 of {@code A-Z a-z 0-9 . _ : -}. */
public final class ClientKey {
  private static final int MAX_LENGTH = 40;

  private ClientKey() {}

  public static boolean isValid(String key) {
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
