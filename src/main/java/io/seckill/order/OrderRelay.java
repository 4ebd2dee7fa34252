package io.seckill.order;

import io.seckill.kafka.OutgoingRecords;
import io.seckill.redis.OutboxEntry;
import java.util.List;
import org.apache.camel.Body;
import org.apache.camel.Message;

/** Makes Kafka records of outbox entries. */
public final class OrderRelay {
  private final OrderJson json;
  private final OutgoingRecords records;

  public OrderRelay(OrderJson json, OutgoingRecords records) {
    this.json = json;
    this.records = records;
  }

  /** One record an entry, in the same order. */
  public List<Message> records(@Body List<OutboxEntry> entries) {
    return entries.stream()
        .map(OutboxEntry::order)
        .map(order -> records.record(order.recordKey(), json.write(order)))
        .toList();
  }
}
