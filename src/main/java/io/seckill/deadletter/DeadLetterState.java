package io.seckill.deadletter;

/** The states of a dead letter. */
public enum DeadLetterState {
  /** It waits for its compensation, for an operator, or for its time. */
  PARKED,
  /** Its reservation has failed: MySQL holds the tombstone, and the book follows it. Final. */
  COMPENSATED,
  /** Its order was already written: it is SUCCESS, and the book follows it. Final. */
  CONFIRMED,
  /** Its record was sent again. */
  REPLAYED,
  /** It is not an order; only its bytes are kept. */
  UNREADABLE
}
