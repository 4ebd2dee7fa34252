package io.seckill.drill.model;

/** What the design puts in the way of each failure. The explorer drops them one by one. */
enum Guard {
  /** A script moves units only when the entry is in the state that the move starts from. */
  GUARDED_SCRIPTS,
  /** uk_request: one row a reservation. */
  UNIQUE_REQUEST,
  /** uk_pu: one SUCCESS row a buyer. */
  UNIQUE_BUYER,
  /** Compensation writes a row before it releases. */
  TOMBSTONE,
  /** Compensation looks at the row before it releases. */
  READ_BACK,
  /** The read-back sees what others have committed. */
  READ_COMMITTED,
  /** Strategy B decrements only for the rows that this attempt inserted. */
  ATTEMPT,
  /** What MySQL has no unit for is not sold (the conditional update of strategy B). */
  CONDITIONAL_DECREMENT,
  /** A record of an older epoch is tombstoned. */
  EPOCH,
  /** A book that came with another Redis gets an epoch of its own before anybody buys from it. */
  ADOPTION,
  /** The book is judged and the epoch raised under one lock, which writers share. */
  JUDGED_UNDER_LOCK,
  /** Admission is closed once Redis lost data. */
  ADMISSION,
  /** The relay acknowledges an outbox entry only after Kafka has it. */
  SEND_BEFORE_ACKNOWLEDGE,
  /** The writer's offset is committed only after the scripts ran. */
  OFFSET_LAST,
  /** The writer runs confirm after its commit. */
  CONFIRM,
  /** reserve.lua refuses a buyer who has a live purchase. */
  LIVE_PURCHASE
}
