package io.seckill.book.script;

import java.util.List;

/** The reply of {@code preheat.lua}. */
public sealed interface PreheatReply extends ScriptReply
    permits NoBook,
        PreheatReply.Created,
        PreheatReply.Exists,
        PreheatReply.Conflict,
        PreheatReply.OtherEpoch {
  /** The book was created. */
  record Created() implements PreheatReply {}

  /**
   * The book existed and has these terms now; {@code changed} tells whether stock, limit or window
   * changed.
   */
  record Exists(boolean changed) implements PreheatReply {}

  /**
   * Stock or limit differ but there are reservations, or a lost book has left reservations behind.
   */
  record Conflict() implements PreheatReply {}

  /** The book has another epoch, this one. */
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
