package io.seckill.book.script;

import java.util.List;

/** The reply of {@code gate.lua}. */
public sealed interface GateReply extends ScriptReply permits NoBook, GateReply.Seen {
  /**
   * The book with one page of its users: {@code fields} are userId or userId|key. The cursor is 0
   * after the last page; now is in ms of Redis's clock.
   */
  record Seen(
      long available,
      long released,
      long restocked,
      long epoch,
      long maxQuantity,
      String state,
      Long endsAt,
      long now,
      String cursor,
      List<String> fields)
      implements GateReply {}

  /** Reads a reply of {@code gate.lua}. */
  static GateReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Seen(
              Values.number(values, 1),
              Values.number(values, 2),
              Values.number(values, 3),
              Values.number(values, 4),
              Values.number(values, 5),
              Values.text(values, 6),
              Values.textAsNumberOrNull(values, 7),
              Values.number(values, 8),
              Values.text(values, 9),
              Values.texts(values, 10));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
