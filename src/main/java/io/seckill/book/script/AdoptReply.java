package io.seckill.book.script;

import java.util.List;

/** What {@code adopt.lua} answers. */
public sealed interface AdoptReply extends ScriptReply
    permits NoBook, AdoptReply.Noted, AdoptReply.Taken, AdoptReply.Overtaken {
  /** The book says which epoch is to come. */
  record Noted() implements AdoptReply {}

  /** The book is of that epoch now. */
  record Taken() implements AdoptReply {}

  /** Another node is ahead: the book's epoch, and the one that is noted in it. */
  record Overtaken(long epoch, long fencing) implements AdoptReply {}

  /** Reads a reply of {@code adopt.lua}. */
  static AdoptReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Noted();
      case 2 -> new Taken();
      case 0 -> new Overtaken(Values.number(values, 1), Values.number(values, 2));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
