package io.seckill.outbox;

import io.seckill.domain.OrderJson;
import io.seckill.redis.RedisConnections;
import io.seckill.redis.ScriptRunner;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;

/** Makes the beans that send the outboxes to Kafka. */
@Configuration
public class OutboxConfiguration {

  @BindToRegistry(lazy = true)
  public RedisOutboxes redisOutboxes(
      @BeanInject("redisConnections") RedisConnections connections,
      @BeanInject("scriptRunner") ScriptRunner scripts) {
    OutboxSignal signal = new OutboxSignal();
    scripts.whenQueued(signal::raise);
    return new RedisOutboxes(connections, scripts, signal);
  }

  @BindToRegistry
  public OrderRelay orderRelay() {
    return new OrderRelay(new OrderJson());
  }
}
