package io.seckill.book.script;

import java.util.List;

/** The reply of {@code rebuild-swap.lua}. */
public sealed interface RebuildSwapReply extends ScriptReply
    permits RebuildSwapReply.Open,
        RebuildSwapReply.Overtaken,
        RebuildSwapReply.NotStaged,
        RebuildSwapReply.Oversold {
  /** The new book is open. */
  record Open(long available, long moves) implements RebuildSwapReply {}

  /**
   * Another rebuild has the staging keys, or there is a book of this later epoch; null when no
   * rebuild has begun.
   */
  record Overtaken(Long epoch) implements RebuildSwapReply {}

  /** Some entries are missing: only so many are staged. */
  record NotStaged(long entries) implements RebuildSwapReply {}

  /** More units are sold than exist: available is negative. */
  record Oversold(long available) implements RebuildSwapReply {}

  /** Reads a reply of {@code rebuild-swap.lua}. */
  static RebuildSwapReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Open(Values.number(values, 1), Values.number(values, 2));
      case 0 -> new Overtaken(Values.textAsNumberOrNull(values, 1));
      case 2 -> new NotStaged(Values.number(values, 1));
      case 3 -> new Oversold(Values.number(values, 1));
      default -> throw Values.unknownCode(values);
    };
  }
}
