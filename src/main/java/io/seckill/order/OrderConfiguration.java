package io.seckill.order;

import io.seckill.domain.OrderJson;
import io.seckill.domain.Progress;
import io.seckill.kafka.Barrier;
import io.seckill.kafka.ConsumerProgress;
import java.time.Clock;
import java.time.Duration;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.camel.spi.RoutePolicy;

/** Makes the beans that write orders and sweep reservations. */
@Configuration
public class OrderConfiguration {
  private final OrderJson json = new OrderJson();

  @BindToRegistry
  public RoutePolicy requestIdInLogs() {
    return new RequestIdInLogs();
  }

  @BindToRegistry
  public OrderJson orderJson() {
    return json;
  }

  @BindToRegistry
  public OrderWriter orderWriter(@BeanInject("clock") Clock clock) {
    return new OrderWriter(json, clock);
  }

  @BindToRegistry
  public ResultEvents resultEvents() {
    return new ResultEvents();
  }

  @BindToRegistry
  public WriteFailures writeFailures(
      @BeanInject("clock") Clock clock, @PropertyInject("seckill.writer.hold") long holdMs) {
    return new WriteFailures(clock, Duration.ofMillis(holdMs));
  }

  @BindToRegistry(lazy = true)
  public Sweeper sweeper(
      @BeanInject("clock") Clock clock,
      @BeanInject("consumerProgress") ConsumerProgress progress,
      @PropertyInject("seckill.orders.topic") String ordersTopic,
      @PropertyInject("seckill.writer.group") String writers,
      @PropertyInject("seckill.dead-letters.topic") String deadLettersTopic,
      @PropertyInject("seckill.dead-letters.group") String deadLettersGroup,
      @PropertyInject("seckill.sweeper.pending-limit") long pendingLimitMs,
      @PropertyInject("seckill.sweeper.max-resends") int maxResends) {
    return new Sweeper(
        json,
        clock,
        Duration.ofMillis(pendingLimitMs),
        maxResends,
        progress(progress, ordersTopic, writers),
        progress(progress, deadLettersTopic, deadLettersGroup));
  }

  private static Progress progress(ConsumerProgress progress, String topic, String group) {
    return () -> {
      Barrier barrier = progress.barrier(topic, group);
      return () -> progress.passed(barrier);
    };
  }
}
