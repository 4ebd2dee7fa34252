package io.seckill.book.script;

import java.util.List;

/** What {@code held.lua} answers the writer. */
public sealed interface HeldReply extends ScriptReply permits NoBook, HeldReply.Held {
  /**
   * The pending reservations among those asked for.
   *
   * @param fencing the epoch that an adoption is about to give the book, 0 where none is
   */
  record Held(long epoch, long fencing, List<Reservation> reservations) implements HeldReply {}

  /** One of them, as the book has it. */
  record Reservation(String requestId, int quantity, String outboxId) {
    private static Reservation read(List<?> entry) {
      return new Reservation(
          Values.text(entry, 0),
          Math.toIntExact(Values.textAsNumber(entry, 1)),
          Values.text(entry, 2));
    }
  }

  /** Reads a reply of {@code held.lua}. */
  static HeldReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Held(
              Values.number(values, 1),
              Values.number(values, 2),
              Values.lists(values, 3).stream().map(Reservation::read).toList());
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
