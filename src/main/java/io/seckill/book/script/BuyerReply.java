package io.seckill.book.script;

import io.seckill.domain.Status;
import java.util.List;

/** The reply of {@code buyer.lua}. */
public sealed interface BuyerReply extends ScriptReply permits NoBook, BuyerReply.Entries {
  /**
   * A reservation of the buyer.
   *
   * @param orderId null where it is no order
   * @param reason null where there is none
   * @param waiting whether Kafka does not have it yet
   */
  record Entry(
      String requestId,
      String key,
      long quantity,
      Status status,
      String outboxId,
      Long orderId,
      String reason,
      boolean waiting) {}

  /** The buyer's reservations. */
  record Entries(List<Entry> entries) implements BuyerReply {}

  /** Reads a reply of {@code buyer.lua}. */
  static BuyerReply read(List<Object> values) {
    return switch (Values.code(values)) {
      case 1 ->
          new Entries(
              Values.lists(values, 1).stream()
                  .map(
                      entry ->
                          new Entry(
                              Values.text(entry, 0),
                              Values.text(entry, 1),
                              Values.textAsNumber(entry, 2),
                              Values.status(entry, 3),
                              Values.text(entry, 4),
                              Values.textAsNumberOrNull(entry, 5),
                              Values.textOrNull(entry, 6),
                              Values.text(entry, 7).equals("1")))
                  .toList());
      case NoBook.CODE -> NoBook.INSTANCE;
      default -> throw Values.unknownCode(values);
    };
  }
}
