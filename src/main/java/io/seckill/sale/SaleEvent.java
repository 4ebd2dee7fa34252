package io.seckill.sale;

import io.seckill.book.BookKeys;
import java.util.Optional;

/**
 * A message of a script on {@link #CHANNEL}: {@code stock <productId> <available> <moves>} when
 * units came back, {@code sale <productId>} when a sale changed.
 */
public sealed interface SaleEvent {
  String CHANNEL = BookKeys.EVENTS;

  long productId();

  /** Units came back to the stock. */
  record Stock(long productId, long available, long moves) implements SaleEvent {}

  /** The sale changed and must be read again. */
  record Changed(long productId) implements SaleEvent {}

  /** The event of this text; empty for any other text. */
  static Optional<SaleEvent> parse(String text) {
    String[] words = text.split(" ");
    try {
      if (words.length == 4 && words[0].equals("stock")) {
        return Optional.of(
            new Stock(
                Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
      }
      if (words.length == 2 && words[0].equals("sale")) {
        return Optional.of(new Changed(Long.parseLong(words[1])));
      }
    } catch (NumberFormatException notAnEvent) {
      return Optional.empty();
    }
    return Optional.empty();
  }
}
