package io.seckill.outbox;

import java.util.Collection;

/** Names the products whose outboxes the relay reads. */
public interface OutboxSource {

  /**
   * The products of all sales whose outbox may have entries: every sale with a book that is not
   * settled. Paused and ended sales belong to them, because earlier orders may still wait. The
   * relay asks often, so answer from memory.
   */
  Collection<Long> productIds();
}
