package io.seckill.book.script;

import java.util.List;

/** The reply of {@code sale-state.lua}. */
public sealed interface SaleStateReply extends ScriptReply
    permits NoBook, SaleStateReply.Moved, SaleStateReply.Final {
  /** The present state and window, and whether this call changed them. */
  record Moved(String state, Long startsAt, Long endsAt, boolean changed)
      implements SaleStateReply {}

  /** Refused, because the sale's present state is final. */
  record Final(String state) implements SaleStateReply {}

  /** Reads a reply of {@code sale-state.lua}. */
  static SaleStateReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Moved(
              Values.text(values, 1),
              Values.textAsNumberOrNull(values, 2),
              Values.textAsNumberOrNull(values, 3),
              Values.flag(values, 4));
      case 2 -> new Final(Values.text(values, 1));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
