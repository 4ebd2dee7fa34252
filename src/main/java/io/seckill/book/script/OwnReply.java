package io.seckill.book.script;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A reply without a type of its own: from a team's own script, or from {@code reserve.lua} when it
 * refuses for a team's own reason. Its code is a text, the outcome.
 *
 * @param values the values after the code: Long, String and lists of both
 */
public record OwnReply(String outcome, List<Object> values) implements ReserveReply {
  private static final Pattern OUTCOME = Pattern.compile("[A-Z][A-Z0-9_]*");

  static OwnReply read(List<Object> values) {
    String outcome = Values.text(values, 0);
    if (!OUTCOME.matcher(outcome).matches()) {
      throw new IllegalArgumentException("an outcome consists of A-Z, 0-9 and _");
    }
    return new OwnReply(outcome, List.copyOf(values.subList(1, values.size())));
  }
}
