package io.seckill.book.script;

import java.util.List;

/** What {@code preheat.lua} answers. */
public sealed interface PreheatReply extends ScriptReply
    permits NoBook,
        PreheatReply.Created,
        PreheatReply.Exists,
        PreheatReply.Conflict,
        PreheatReply.OtherEpoch {
  /** The book was created. */
  record Created() implements PreheatReply {}

  /** The book is, or was made, the same; whether stock, limit or window were changed now. */
  record Exists(boolean changed) implements PreheatReply {}

  /** Stock or limit differ after the first reservation, or reservations of a lost book are left. */
  record Conflict() implements PreheatReply {}

  /** The book is of this other epoch. */
  record OtherEpoch(long epoch) implements PreheatReply {}

  /** Reads a reply of {@code preheat.lua}. */
  static PreheatReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Created();
      case 2 -> new Exists(Values.flag(values, 1));
      case 3 -> new Conflict();
      case 4 -> new OtherEpoch(Values.number(values, 1));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
