package io.seckill.book.script;

import static io.seckill.book.script.Values.number;

import io.seckill.book.Book;
import java.util.List;
import java.util.Optional;

/** The reply of {@code ledger.lua}. */
public sealed interface LedgerReply extends ScriptReply permits NoBook, LedgerReply.Snapshot {
  /** The present book. */
  record Snapshot(Book book) implements LedgerReply {}

  /** The book; empty when there is none. */
  default Optional<Book> asBook() {
    return this instanceof Snapshot snapshot ? Optional.of(snapshot.book) : Optional.empty();
  }

  /** Reads a reply of {@code ledger.lua}. */
  static LedgerReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 -> new Snapshot(bookOf(values));
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }

  private static Book bookOf(List<Object> values) {
    return new Book(
        number(values, 1),
        number(values, 2),
        number(values, 3),
        number(values, 4),
        number(values, 5),
        number(values, 6),
        number(values, 7),
        number(values, 8),
        Values.textAsNumberOrNull(values, 9),
        Values.textAsNumberOrNull(values, 10),
        Values.text(values, 11),
        number(values, 12),
        number(values, 13),
        number(values, 14),
        Values.text(values, 15),
        Values.text(values, 16),
        number(values, 17),
        number(values, 18),
        Values.flag(values, 19),
        Values.text(values, 20),
        number(values, 21));
  }
}
