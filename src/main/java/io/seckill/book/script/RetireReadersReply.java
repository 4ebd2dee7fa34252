package io.seckill.book.script;

import java.util.List;

/** The reply of {@code retire-readers.lua}. */
public sealed interface RetireReadersReply extends ScriptReply permits RetireReadersReply.Removed {
  /** How many readers were removed. */
  record Removed(long readers) implements RetireReadersReply {}

  /** Reads a reply of {@code retire-readers.lua}. */
  static RetireReadersReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Removed(Values.number(values, 1));
      default -> throw Values.unknownCode(values);
    };
  }
}
