package io.seckill.book.script;

import java.util.List;

/** The reply of {@code resend.lua}. */
public sealed interface ResendReply extends ScriptReply
    permits NoBook, ResendReply.SentAgain, ResendReply.StillWaiting, ResendReply.NotPending {
  /** The reservation is in the outbox again; {@code resent} counts how many times. */
  record SentAgain(String outboxId, long resent) implements ResendReply {}

  /** Its entry still waits in the outbox. */
  record StillWaiting(String outboxId) implements ResendReply {}

  /** No reservation of this request id is PENDING. */
  record NotPending() implements ResendReply {}

  /** Reads a reply of {@code resend.lua}. */
  static ResendReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new SentAgain(Values.text(values, 1), Values.number(values, 2));
      case 2 -> new StillWaiting(Values.text(values, 1));
      case 0 -> new NotPending();
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
