package io.seckill.book.script;

import java.util.List;

/** The reply of {@code rebuild-close.lua}. */
public sealed interface RebuildCloseReply extends ScriptReply
    permits RebuildCloseReply.Closed, RebuildCloseReply.Absent {
  /** The book is closed. {@code pending} counts reservations; now is in ms of Redis's clock. */
  record Closed(long outboxLength, long pending, long epoch, long now)
      implements RebuildCloseReply {}

  /** There is no book. */
  record Absent(long outboxLength) implements RebuildCloseReply {}

  /** Number of entries in the outbox, which exists also without a book. */
  long outboxLength();

  /** Reads a reply of {@code rebuild-close.lua}. */
  static RebuildCloseReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Closed(
              Values.number(values, 1),
              Values.number(values, 2),
              Values.number(values, 3),
              Values.number(values, 4));
      case 0 -> new Absent(Values.number(values, 1));
      default -> throw Values.unknownCode(values);
    };
  }
}
