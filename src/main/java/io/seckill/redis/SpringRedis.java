package io.seckill.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.TimeoutOptions;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** What camel-spring-redis works with, made when first asked for. */
final class SpringRedis implements Closeable {
  private final String uri;
  private final Duration timeout;
  private LettuceConnectionFactory factory;
  private ChannelListeners listeners;

  /**
   * @param timeout of a command
   */
  SpringRedis(String uri, Duration timeout) {
    this.uri = uri;
    this.timeout = timeout;
  }

  synchronized LettuceConnectionFactory connectionFactory() {
    if (factory == null) {
      factory =
          new LettuceConnectionFactory(
              LettuceConnectionFactory.createRedisConfiguration(uri),
              LettuceClientConfiguration.builder()
                  .commandTimeout(timeout)
                  .clientOptions(
                      ClientOptions.builder()
                          .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                          .timeoutOptions(TimeoutOptions.enabled(timeout))
                          .build())
                  .build());
      factory.afterPropertiesSet();
      factory.start();
    }
    return factory;
  }

  synchronized RedisMessageListenerContainer listenerContainer() {
    if (listeners == null) {
      listeners = new ChannelListeners(connectionFactory());
      listeners.afterPropertiesSet();
      listeners.start();
    }
    return listeners;
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      if (listeners != null) {
        listeners.destroy();
      }
    } catch (Exception e) {
      throw new IOException("The listeners of Redis's channels do not stop", e);
    } finally {
      if (factory != null) {
        factory.destroy();
      }
    }
  }
}
