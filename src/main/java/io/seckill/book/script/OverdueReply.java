package io.seckill.book.script;

import java.util.List;

/** The reply of {@code overdue.lua}. */
public sealed interface OverdueReply extends ScriptReply permits NoBook, OverdueReply.Overdue {
  /** The reservations that have been PENDING for long and have left the outbox, oldest first. */
  record Overdue(List<Reservation> reservations) implements OverdueReply {}

  /** An overdue reservation; {@code resent} counts how many times it was sent again. */
  record Reservation(
      String requestId, long userId, String key, int quantity, String outboxId, int resent) {
    private static Reservation read(List<?> entry) {
      return new Reservation(
          Values.text(entry, 0),
          Values.textAsNumber(entry, 1),
          Values.text(entry, 2),
          Math.toIntExact(Values.textAsNumber(entry, 3)),
          Values.text(entry, 4),
          Math.toIntExact(Values.textAsNumber(entry, 5)));
    }
  }

  /** Reads a reply of {@code overdue.lua}. */
  static OverdueReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Overdue(Values.lists(values, 1).stream().map(Reservation::read).toList());
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
