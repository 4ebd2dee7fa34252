package io.seckill.book;

import io.seckill.domain.BookSnapshot;

/**
 * One snapshot of a sale's book, as {@code ledger.lua} gives it. Quantities count units.
 *
 * @param startsAt ms of the epoch; null for no limit; the same for endsAt
 * @param state OPEN, PAUSED or ENDED
 * @param moves counts the changes of the book
 * @param outboxLength entries that wait for Kafka's acknowledgement
 * @param oldestOutboxId id of the first such entry; empty for none
 * @param lastOutboxId the highest id that the outbox ever gave; empty when it was never written
 * @param now ms of Redis's clock
 * @param buyers entries of buyers, including failed ones
 * @param closed whether a rebuild keeps the book closed
 * @param run run id of the Redis in which it was made or last adopted; empty for none
 * @param fencing the epoch that an adoption is about to give it; 0 for none
 */
public record Book(
    long initial,
    long restocked,
    long available,
    long pending,
    long sold,
    long writtenOff,
    long released,
    long maxQuantity,
    Long startsAt,
    Long endsAt,
    String state,
    long epoch,
    long moves,
    long outboxLength,
    String oldestOutboxId,
    String lastOutboxId,
    long now,
    long buyers,
    boolean closed,
    String run,
    long fencing)
    implements ClosedBook {

  /** I1: available + pending + sold + writtenOff = initial + restocked, and no term is negative. */
  public boolean balanced() {
    return available + pending + sold + writtenOff == initial + restocked
        && Math.min(Math.min(available, pending), Math.min(sold, writtenOff)) >= 0;
  }

  /** What nodes tell buyers of it. */
  public BookSnapshot shown() {
    return new BookSnapshot(available, pending, moves, epoch);
  }

  /** How long the oldest outbox entry has waited, in ms; 0 when the outbox is empty. */
  public long outboxAgeMillis() {
    return oldestOutboxId.isEmpty() ? 0 : Math.max(0, now - millisOf(oldestOutboxId));
  }

  /** The time in an outbox id, ms of Redis's clock. */
  public static long millisOf(String outboxId) {
    return Long.parseLong(outboxId.substring(0, outboxId.indexOf('-')));
  }

  /** Compares outbox ids as Redis does; the empty id is the lowest. */
  public static int compareOutboxIds(String one, String other) {
    if (one.isEmpty() || other.isEmpty()) {
      return Boolean.compare(!one.isEmpty(), !other.isEmpty());
    }
    int byTime = Long.compare(millisOf(one), millisOf(other));
    return byTime != 0 ? byTime : Long.compare(sequenceOf(one), sequenceOf(other));
  }

  private static long sequenceOf(String outboxId) {
    return Long.parseLong(outboxId.substring(outboxId.indexOf('-') + 1));
  }
}
