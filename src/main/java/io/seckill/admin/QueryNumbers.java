package io.seckill.admin;

import io.seckill.answer.Refusal;
import java.util.regex.Pattern;

/** Reads numbers in a query or a path. */
public final class QueryNumbers {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private QueryNumbers() {}

  /**
   * The number that a text is.
   *
   * @param given a list when the client gave it more than once
   * @param max {@link Long#MAX_VALUE} for none
   * @throws Refusal 400 INVALID_REQUEST
   */
  public static long number(Object given, String member, long min, long max) {
    if (given instanceof String text && NUMBER.matcher(text).matches()) {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw Refusal.of(
            400,
            "INVALID_REQUEST",
            "'"
                + member
                + "' must be an integer"
                + (max == Long.MAX_VALUE ? "." : " from " + min + " to " + max + "."))
        .with("member", member);
  }
}
