package io.seckill.minimal;

import io.seckill.domain.OrderJson;
import java.time.Clock;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;

/** Makes the queue of minimal mode and the books made of it. */
@Configuration
public class QueueConfiguration {

  /** The queue; it stays empty in full mode. */
  @BindToRegistry
  public OrderQueue orderQueue(
      @BeanInject("clock") Clock clock,
      @PropertyInject("seckill.minimal.queue") int capacity,
      @PropertyInject("seckill.minimal.remembered") long remembered) {
    return new OrderQueue(capacity, remembered, new OrderJson(), clock);
  }

  @BindToRegistry(lazy = true)
  public MinimalBooks minimalBooks(
      @BeanInject("orderQueue") OrderQueue queue, @BeanInject("saleClock") Clock clock) {
    return new MinimalBooks(queue, clock);
  }
}
