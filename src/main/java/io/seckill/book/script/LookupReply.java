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
      implements LookupReply {

    /**
     * Reads an entry of the hash {@code users}: {@code
     * requestId|key|quantity|status|outboxId|orderId|reason}.
     *
     * @throws RuntimeException for another text
     */
    public static Found ofEntry(String entry) {
      List<String> parts = List.of(entry.split("\\|", -1));
      return new Found(
          parts.get(0),
          Values.status(parts, 3),
          Values.textAsNumberOrNull(parts, 5),
          Values.textOrNull(parts, 6),
          parts.get(1),
          Values.textAsNumber(parts, 2),
          parts.get(4));
    }
  }

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
