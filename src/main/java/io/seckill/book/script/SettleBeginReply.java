package io.seckill.book.script;

import io.seckill.book.ClosedBook;
import java.util.List;

/** The reply of {@code settle-begin.lua}. */
public sealed interface SettleBeginReply extends ScriptReply
    permits NoBook, SettleBeginReply.AtRest, SettleBeginReply.NotAtRest, SettleBeginReply.NotOver {
  /** The sale is over and the book is at rest. These are its units for the settlement. */
  record AtRest(
      long initial,
      long restocked,
      long available,
      long pending,
      long sold,
      long writtenOff,
      long released,
      long epoch,
      long moves)
      implements SettleBeginReply, ClosedBook {}

  /** The sale is over, but units are pending or entries in the outbox. */
  record NotAtRest(long pending, long outboxLength) implements SettleBeginReply {}

  /** The sale is not over; endsAt is null when its window has no end. */
  record NotOver(Long endsAt) implements SettleBeginReply {}

  /** Reads a reply of {@code settle-begin.lua}. */
  static SettleBeginReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new AtRest(
              Values.number(values, 1),
              Values.number(values, 2),
              Values.number(values, 3),
              Values.number(values, 4),
              Values.number(values, 5),
              Values.number(values, 6),
              Values.number(values, 7),
              Values.number(values, 8),
              Values.number(values, 9));
      case 2 -> new NotAtRest(Values.number(values, 1), Values.number(values, 2));
      case 3 -> new NotOver(Values.textAsNumberOrNull(values, 1));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
