package io.seckill.domain;

/** Ids of products and users: positive BIGINTs, written without sign or leading zeros. */
public final class PositiveId {
  /** The result of {@link #parse} for a text that is not such an id. */
  public static final long INVALID = 0;

  private static final int MAX_DIGITS = 19;

  private PositiveId() {}

  /** The id, or {@link #INVALID}. */
  public static long parse(String text) {
    if (text == null || text.isEmpty() || text.length() > MAX_DIGITS || text.charAt(0) == '0') {
      return INVALID;
    }
    long id = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return INVALID;
      }
      id = id * 10 + digit;
    }
    return id > 0 ? id : INVALID;
  }
}
