package io.seckill.drill.history;

/** The counters of one product's book in Redis, read in one step. All but epoch count units. */
public record Book(
    long initial,
    long restocked,
    long available,
    long pending,
    long sold,
    long writtenOff,
    long released,
    long epoch) {

  public long issued() {
    return initial + restocked;
  }

  /** The counters in words. */
  public String terms() {
    return "available "
        + available
        + ", pending "
        + pending
        + ", sold "
        + sold
        + ", written off "
        + writtenOff
        + ", released "
        + released
        + ", epoch "
        + epoch;
  }

  public long accounted() {
    return available + pending + sold + writtenOff;
  }
}
