package io.seckill.sale;

import io.seckill.kafka.CloudEvents;
import io.seckill.kafka.OutgoingRecord;
import java.util.List;
import java.util.Locale;

/**
 * What happened to a sale and is told to other systems.
 *
 * @param occasion tells the repetitions of a kind apart: the time at which the window opened or
 *     closed (0 where it has no such side), the units of a sale that was sold out, 0 for a
 *     settlement
 * @param sale as it is when this is told
 */
public record Milestone(long productId, Kind kind, long occasion, Sale sale) {
  /** In the order in which they happen. */
  public enum Kind {
    OPENED,
    SOLD_OUT,
    ENDED,
    SETTLED;

    /** As ids and types of events name it: {@code sold-out}. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  static final String TYPE = "io.seckill.sale.";

  /**
   * The data of an event.
   *
   * @param units the initial ones and those added since
   * @param startsAt epoch milliseconds; null for none; the same for endsAt
   */
  record Told(long productId, String name, long units, Long startsAt, Long endsAt) {}

  /** The event, keyed by product. Its id is the same however often it is told. */
  public List<OutgoingRecord> event() {
    String product = Long.toString(productId);
    return List.of(
        CloudEvents.of(
            product,
            product + "-" + kind.label() + "-" + occasion,
            TYPE + kind.label(),
            productId,
            new Told(
                productId,
                sale.name(),
                sale.stock() + sale.restocked(),
                sale.startsAt(),
                sale.endsAt())));
  }
}
