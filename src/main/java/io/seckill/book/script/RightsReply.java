package io.seckill.book.script;

import java.util.List;

/** The reply of {@code rights.lua}. */
public sealed interface RightsReply extends ScriptReply permits RightsReply.Tried {
  /** The commands that the user of this connection may not run, such as XGROUP CREATE. */
  record Tried(List<String> refused) implements RightsReply {}

  /** The commands that the user of this connection may not run. */
  List<String> refused();

  /** Reads a reply of {@code rights.lua}. */
  static RightsReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Tried(Values.texts(values, 1));
      default -> throw Values.unknownCode(values);
    };
  }
}
