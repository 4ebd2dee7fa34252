package io.seckill.book;

/**
 * One snapshot of a sale's book, as {@code ledger.lua} gives it. Quantities count units.
 *
 * @param startsAt ms of the epoch, null when the window is open on that side; so endsAt
 * @param state OPEN, PAUSED or ENDED
 * @param moves counts the changes of the book
 * @param outboxLength entries that Kafka has not acknowledged
 * @param oldestOutboxId the first of them, empty when there is none
 * @param lastOutboxId the highest id the outbox ever gave, empty when it was never written
 * @param now ms of Redis's clock
 * @param buyers entries of buyers, failed ones included
 * @param closed whether a rebuild keeps the book shut
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
    boolean closed)
    implements ClosedBook {

  /** I1: available + pending + sold + writtenOff = initial + restocked, and none is below 0. */
  public boolean balanced() {
    return available + pending + sold + writtenOff == initial + restocked
        && Math.min(Math.min(available, pending), Math.min(sold, writtenOff)) >= 0;
  }

  /** Milliseconds the oldest entry of the outbox has waited; 0 when it is empty. */
  public long outboxAgeMillis() {
    return oldestOutboxId.isEmpty() ? 0 : Math.max(0, now - millisOf(oldestOutboxId));
  }

  /** The time in an outbox id, ms of Redis's clock. */
  public static long millisOf(String outboxId) {
    return Long.parseLong(outboxId.substring(0, outboxId.indexOf('-')));
  }

  /** Orders outbox ids as Redis does; an empty one is below all. */
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
