package io.seckill.book.script;

import java.util.List;

/** The reply of {@code acknowledge.lua}. */
public sealed interface AcknowledgeReply extends ScriptReply permits AcknowledgeReply.Acknowledged {
  /** How many entries left the outbox now. */
  record Acknowledged(long deleted) implements AcknowledgeReply {}

  /** Reads a reply of {@code acknowledge.lua}. */
  static AcknowledgeReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Acknowledged(Values.number(values, 1));
      default -> throw Values.unknownCode(values);
    };
  }
}
