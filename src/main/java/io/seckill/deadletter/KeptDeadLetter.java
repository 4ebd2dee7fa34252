package io.seckill.deadletter;

import io.seckill.domain.ConcernsOrder;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.QueuedOrder;
import io.seckill.kafka.OutgoingRecord;
import io.seckill.order.OrderBatch;
import java.util.List;

/**
 * A dead letter as MySQL keeps it.
 *
 * @param order null when its bytes are no order
 */
public record KeptDeadLetter(
    long id, String source, byte[] value, DeadLetterState state, OrderRecord order)
    implements ConcernsOrder {
  @Override
  public String requestId() {
    return order == null ? null : order.requestId();
  }

  /** The order alone. */
  public OrderBatch batch() {
    return OrderBatch.of(List.of(new QueuedOrder(order, value, source)));
  }

  /** Its record, as it was sent. */
  public List<OutgoingRecord> records() {
    return List.of(new OutgoingRecord(order == null ? null : order.recordKey(), value));
  }
}
