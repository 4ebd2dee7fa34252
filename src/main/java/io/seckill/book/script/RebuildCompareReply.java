package io.seckill.book.script;

import java.util.List;

/** The reply of {@code rebuild-compare.lua}. */
public sealed interface RebuildCompareReply extends ScriptReply
    permits NoBook, RebuildCompareReply.Compared {
  /** The number of equal entries, and the entries that differ. */
  record Compared(long same, List<Difference> differences) implements RebuildCompareReply {}

  /**
   * An entry in MySQL and in the book; the held values are null when the book has no such entry.
   */
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
