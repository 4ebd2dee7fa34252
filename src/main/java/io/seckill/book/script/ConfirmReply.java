package io.seckill.book.script;

import java.util.List;

/** The reply of {@code confirm.lua}. */
public sealed interface ConfirmReply extends ScriptReply permits NoBook, ConfirmReply.Confirmed {
  /**
   * Numbers of reservations that moved to SUCCESS now, were SUCCESS before, or are not in the book;
   * and the units that MySQL sold but the book does not have.
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
