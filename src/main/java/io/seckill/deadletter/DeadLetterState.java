package io.seckill.deadletter;

/** Where a dead letter stands. */
public enum DeadLetterState {
  /** Waits: for its compensation, for a person, or for its time. */
  PARKED,
  /** Its reservation has failed: MySQL holds the tombstone, and the book follows it. Final. */
  COMPENSATED,
  /** Its order had been written all the same: it is SUCCESS, and the book follows it. Final. */
  CONFIRMED,
  /** Its record was sent again. */
  REPLAYED,
  /** Holds no order; only its bytes are kept. */
  UNREADABLE
}
