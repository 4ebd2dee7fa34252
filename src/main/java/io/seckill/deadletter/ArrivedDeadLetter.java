package io.seckill.deadletter;

import io.seckill.domain.ConcernsOrder;
import io.seckill.domain.DeadLetter;
import io.seckill.domain.OrderRecord;

/**
 * A dead letter to keep.
 *
 * @param origin its position and time in the topic: {@code topic-partition@offset/milliseconds}
 * @param order its order; null when it is unreadable
 */
public record ArrivedDeadLetter(String origin, DeadLetter letter, OrderRecord order)
    implements ConcernsOrder {
  @Override
  public String requestId() {
    return order == null ? null : order.requestId();
  }

  /** Null when it cannot be read. */
  public Long productId() {
    return order == null ? null : order.productId();
  }

  /** Null when it cannot be read. */
  public Long userId() {
    return order == null ? null : order.userId();
  }

  public boolean isReadable() {
    return order != null;
  }

  public DeadLetterState state() {
    return order == null ? DeadLetterState.UNREADABLE : DeadLetterState.PARKED;
  }
}
