package io.seckill.deadletter;

import io.seckill.domain.ConcernsOrder;
import io.seckill.domain.DeadLetter;
import io.seckill.domain.OrderRecord;

/**
 * A dead letter as it is kept.
 *
 * @param origin where it lies and when it came there: {@code topic-partition@offset/milliseconds}
 * @param order what it says, null when it cannot be read
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
