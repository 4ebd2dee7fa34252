package io.seckill.book.script;

import io.seckill.domain.Status;
import java.util.List;

/** The reply of {@code lookup.lua}. */
public sealed interface LookupReply extends ScriptReply
    permits NoBook, LookupReply.Found, LookupReply.NotFound {
  /** The reservation's status. Order id and reason are null when there is none. */
  record Found(
      String requestId,
      Status status,
      Long orderId,
      String reason,
      String key,
      long quantity,
      String outboxId)
      implements LookupReply {}

  /** The book has no such reservation. */
  record NotFound() implements LookupReply {}

  /** Reads a reply of {@code lookup.lua}. */
  static LookupReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 3 ->
          new Found(
              Values.text(values, 1),
              Values.status(values, 2),
              Values.textAsNumberOrNull(values, 3),
              Values.textOrNull(values, 4),
              Values.text(values, 5),
              Values.number(values, 6),
              Values.text(values, 7));
      case 0 -> new NotFound();
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
