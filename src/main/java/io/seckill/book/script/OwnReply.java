package io.seckill.book.script;

import java.util.List;
import java.util.regex.Pattern;

/**
 * An answer that this application has no type for: of a script of a team's own, or of {@code
 * reserve.lua} where it refuses for a reason of a team's own. Its code is a text, the outcome.
 *
 * @param values what follows the code: Long, String and lists of them
 */
public record OwnReply(String outcome, List<Object> values) implements ReserveReply {
  private static final Pattern OUTCOME = Pattern.compile("[A-Z][A-Z0-9_]*");

  static OwnReply read(List<Object> values) {
    String outcome = Values.text(values, 0);
    if (!OUTCOME.matcher(outcome).matches()) {
      throw new IllegalArgumentException("an outcome is of A-Z, 0-9 and _");
    }
    return new OwnReply(outcome, List.copyOf(values.subList(1, values.size())));
  }
}
