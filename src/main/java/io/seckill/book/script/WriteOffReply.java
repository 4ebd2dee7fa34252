package io.seckill.book.script;

import java.util.List;

/** What {@code write-off.lua} answers. */
public sealed interface WriteOffReply extends ScriptReply permits NoBook, WriteOffReply.WrittenOff {
  /**
   * How many reservations were written off, are SUCCESS, are not in the book; and the units left.
   */
  record WrittenOff(long writtenOff, long unchanged, long absent, long available)
      implements WriteOffReply {}

  /** Reads a reply of {@code write-off.lua}. */
  static WriteOffReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new WrittenOff(
              Values.number(values, 1),
              Values.number(values, 2),
              Values.number(values, 3),
              Values.number(values, 4));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
