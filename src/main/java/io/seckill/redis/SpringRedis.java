package io.seckill.redis;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** What camel-spring-redis works with, made when first asked for. */
final class SpringRedis implements Closeable {
  private static final long RECOVERY_MILLIS = 500;

  private final String uri;
  private final Duration timeout;
  private LettuceConnectionFactory factory;
  private RedisMessageListenerContainer container;

  SpringRedis(String uri, Duration timeout) {
    this.uri = uri;
    this.timeout = timeout;
  }

  synchronized LettuceConnectionFactory connectionFactory() {
    if (factory == null) {
      factory =
          new LettuceConnectionFactory(
              LettuceConnectionFactory.createRedisConfiguration(uri),
              LettuceClientConfiguration.builder().commandTimeout(timeout).build());
      factory.afterPropertiesSet();
      factory.start();
    }
    return factory;
  }

  synchronized RedisMessageListenerContainer listenerContainer() {
    if (container == null) {
      container = new RedisMessageListenerContainer();
      container.setConnectionFactory(connectionFactory());
      container.setRecoveryInterval(RECOVERY_MILLIS);
      container.afterPropertiesSet();
      container.start();
    }
    return container;
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      if (container != null) {
        container.destroy();
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
