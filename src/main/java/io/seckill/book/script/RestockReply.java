package io.seckill.book.script;

import java.util.List;

/** The reply of {@code restock.lua}. */
public sealed interface RestockReply extends ScriptReply permits NoBook, RestockReply.Restocked {
  /** Units left, units restocked in total, and units added now. */
  record Restocked(long available, long restocked, long added) implements RestockReply {}

  /** Reads a reply of {@code restock.lua}. */
  static RestockReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Restocked(
              Values.number(values, 1), Values.number(values, 2), Values.number(values, 3));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
