package io.seckill.book.script;

import java.util.List;

/** The reply of {@code retire-book.lua}. */
public sealed interface RetireBookReply extends ScriptReply
    permits NoBook, RetireBookReply.Gone, RetireBookReply.Stays {
  /** The book is deleted; it had so many buyers' entries. */
  record Gone(long entries) implements RetireBookReply {}

  /** The book stays: it has another epoch, has not ended, or is not at rest. */
  record Stays() implements RetireBookReply {}

  /** Reads a reply of {@code retire-book.lua}. */
  static RetireBookReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Gone(Values.number(values, 1));
      case 0 -> new Stays();
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
