package io.seckill.outbox;

import io.seckill.domain.OrderJson;
import io.seckill.kafka.OutgoingRecord;
import java.util.List;
import org.apache.camel.Body;

/** Turns outbox entries into records. Stateless. */
public final class OrderRelay {
  private final OrderJson json;

  public OrderRelay(OrderJson json) {
    this.json = json;
  }

  /**
   * One record for each entry, in the same order. They have no key: Kafka's client then gives a
   * batch to one partition, so that one writer takes it as a whole. Orders need no order.
   */
  public List<OutgoingRecord> records(@Body List<OutboxEntry> entries) {
    return entries.stream()
        .map(OutboxEntry::order)
        .map(order -> new OutgoingRecord(null, json.write(order)))
        .toList();
  }
}
