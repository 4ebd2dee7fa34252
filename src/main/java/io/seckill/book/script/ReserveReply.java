package io.seckill.book.script;

import io.seckill.domain.Status;
import java.util.List;

/** The reply of {@code reserve.lua}. */
public sealed interface ReserveReply extends ScriptReply
    permits NoBook,
        OwnReply,
        ReserveReply.Reserved,
        ReserveReply.SoldOut,
        ReserveReply.Replayed,
        ReserveReply.AlreadyBought,
        ReserveReply.KeyReused,
        ReserveReply.NotStarted,
        ReserveReply.Ended,
        ReserveReply.Paused,
        ReserveReply.OverLimit,
        ReserveReply.OutboxFull {
  /** The units are reserved; {@code available} are left. */
  record Reserved(String requestId, long available) implements ReserveReply {}

  /** Fewer units are left than asked for. */
  record SoldOut(long available, long moves) implements ReserveReply {}

  /**
   * The key was reserved before and keeps that answer for ever. Order id and reason are null when
   * there is none.
   */
  record Replayed(String requestId, Status status, Long orderId, String reason)
      implements ReserveReply {}

  /** The buyer holds a live purchase under another key. */
  record AlreadyBought(String requestId, String key) implements ReserveReply {}

  /** The key was reserved before with another quantity, this one. */
  record KeyReused(long quantity) implements ReserveReply {}

  /** The window has not opened; ms of Redis's clock. */
  record NotStarted(long startsAt, long now) implements ReserveReply {}

  /** The sale has ended; endsAt is null when its window has no end. */
  record Ended(Long endsAt) implements ReserveReply {}

  /** The sale is paused. */
  record Paused() implements ReserveReply {}

  /** The purchase asks for more units than the sale allows. */
  record OverLimit(long maxQuantity) implements ReserveReply {}

  /** The outbox is full. */
  record OutboxFull() implements ReserveReply {}

  /** Reads a reply of {@code reserve.lua}. */
  static ReserveReply read(List<Object> values) {
    if (values.get(0) instanceof String) {
      return OwnReply.read(values);
    }
    return switch (Values.code(values)) {
      case 1 -> new Reserved(Values.text(values, 1), Values.number(values, 2));
      case 0 -> new SoldOut(Values.number(values, 1), Values.number(values, 2));
      case 3 ->
          new Replayed(
              Values.text(values, 1),
              Values.status(values, 2),
              Values.textAsNumberOrNull(values, 3),
              Values.textOrNull(values, 4));
      case 2 -> new AlreadyBought(Values.text(values, 1), Values.text(values, 2));
      case 4 -> new KeyReused(Values.number(values, 1));
      case 5 -> new NotStarted(Values.number(values, 1), Values.number(values, 2));
      case 6 -> new Ended(Values.textAsNumberOrNull(values, 1));
      case 7 -> new Paused();
      case 8 -> new OverLimit(Values.number(values, 1));
      case 9 -> new OutboxFull();
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
