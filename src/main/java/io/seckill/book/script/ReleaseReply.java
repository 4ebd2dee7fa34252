package io.seckill.book.script;

import java.util.List;

/** The reply of {@code release.lua}. */
public sealed interface ReleaseReply extends ScriptReply permits NoBook, ReleaseReply.Released {
  /**
   * Numbers of reservations that were released or written off now, are SUCCESS, or are not in the
   * book; and the units left.
   */
  record Released(long released, long unchanged, long absent, long available)
      implements ReleaseReply {}

  /** Reads a reply of {@code release.lua}. */
  static ReleaseReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Released(
              Values.number(values, 1),
              Values.number(values, 2),
              Values.number(values, 3),
              Values.number(values, 4));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
