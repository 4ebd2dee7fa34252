package io.seckill.book.script;

import java.util.List;

/** What {@code rebuild-compare.lua} answers. */
public sealed interface RebuildCompareReply extends ScriptReply
    permits NoBook, RebuildCompareReply.Compared {
  /** How many entries are the same, and those that differ. */
  record Compared(long same, List<Difference> differences) implements RebuildCompareReply {}

  /** What MySQL and the book say of an entry; what is held is null where the book has none. */
  record Difference(String requestId, String status, String heldRequestId, String heldStatus) {
    private static Difference read(List<?> entry) {
      return new Difference(
          Values.text(entry, 0),
          Values.text(entry, 1),
          Values.textOrNull(entry, 2),
          Values.textOrNull(entry, 3));
    }
  }

  /** Reads a reply of {@code rebuild-compare.lua}. */
  static RebuildCompareReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Compared(
              Values.number(values, 1),
              Values.lists(values, 2).stream().map(Difference::read).toList());
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
