package io.seckill.deadletter;

/** Where a dead letter stands. */
public enum DeadLetterState {
  /** Waits: for its compensation, for a person, or for its time. */
  PARKED,
  /** Its reservation has a row in MySQL, and the book follows it. Final. */
  COMPENSATED,
  /** Its record was sent again. */
  REPLAYED,
  /** Holds no order; only its bytes are kept. */
  UNREADABLE
}
