package io.seckill.book.script;

import java.util.List;

/** The reply of {@code time.lua}. */
public sealed interface TimeReply extends ScriptReply permits TimeReply.Told {
  /** Milliseconds of Redis's clock. */
  record Told(long now) implements TimeReply {}

  /** Milliseconds of Redis's clock. */
  long now();

  /** Reads a reply of {@code time.lua}. */
  static TimeReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Told(Values.number(values, 1));
      default -> throw Values.unknownCode(values);
    };
  }
}
