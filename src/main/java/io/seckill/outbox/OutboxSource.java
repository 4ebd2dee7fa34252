package io.seckill.outbox;

import java.util.Collection;

/** Tells the relay whose outboxes to read. */
public interface OutboxSource {

  /**
   * The products of all sales whose outbox may hold entries: every sale with a book that is not
   * settled, also one that is paused or has ended, for orders taken before may still wait. Answered
   * from memory; asked often. Empty: nothing is read.
   */
  Collection<Long> productIds();
}
