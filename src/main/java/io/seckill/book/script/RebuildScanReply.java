package io.seckill.book.script;

import java.util.List;

/** The reply of {@code rebuild-scan.lua}. */
public sealed interface RebuildScanReply extends ScriptReply permits NoBook, RebuildScanReply.Page {
  /** A page of the book's entries. The cursor is 0 on the last page. An entry may come twice. */
  record Page(String cursor, List<Entry> entries) implements RebuildScanReply {}

  /** A reservation of the book. */
  record Entry(String requestId, long quantity, String status) {
    private static Entry read(List<?> entry) {
      return new Entry(Values.text(entry, 0), Values.textAsNumber(entry, 1), Values.text(entry, 2));
    }
  }

  /** Reads a reply of {@code rebuild-scan.lua}. */
  static RebuildScanReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Page(
              Values.text(values, 1), Values.lists(values, 2).stream().map(Entry::read).toList());
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
