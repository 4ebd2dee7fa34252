package io.seckill.deadletter;

import io.seckill.domain.ConcernsOrder;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.QueuedOrder;
import io.seckill.kafka.OutgoingRecord;
import io.seckill.order.OrderBatch;
import java.util.List;

/**
 * A dead letter in MySQL.
 *
 * @param order null when its bytes are not an order
 */
public record KeptDeadLetter(
    long id, String source, byte[] value, DeadLetterState state, OrderRecord order)
    implements ConcernsOrder {
  @Override
  public String requestId() {
    return order == null ? null : order.requestId();
  }

  /** A batch of its order alone. */
  public OrderBatch batch() {
    return OrderBatch.of(List.of(new QueuedOrder(order, value, source)));
  }

  /** Its original record. */
  public List<OutgoingRecord> records() {
    return List.of(new OutgoingRecord(order == null ? null : order.recordKey(), value));
  }
}
