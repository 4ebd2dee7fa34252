package io.seckill.book.script;

import java.util.List;

/** What {@code confirm.lua} answers. */
public sealed interface ConfirmReply extends ScriptReply permits NoBook, ConfirmReply.Confirmed {
  /**
   * How many reservations moved to SUCCESS, were there already, are not in the book; and units that
   * MySQL sold and the book does not have.
   */
  record Confirmed(long moved, long unchanged, long absent, long uncovered)
      implements ConfirmReply {}

  /** Reads a reply of {@code confirm.lua}. */
  static ConfirmReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Confirmed(
              Values.number(values, 1),
              Values.number(values, 2),
              Values.number(values, 3),
              Values.number(values, 4));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
