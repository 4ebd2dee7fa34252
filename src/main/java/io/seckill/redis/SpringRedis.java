package io.seckill.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.seckill.StartRefusedException;
import io.seckill.book.BookKeys;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;

/** Makes the beans that camel-spring-redis uses, each at its first use. */
public final class SpringRedis implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SpringRedis.class);
  private static final long NO_PRODUCT = 0;

  private final RedisSettings settings;
  private final String node = "probe " + UUID.randomUUID();
  private LettuceConnectionFactory factory;
  private ChannelListeners listeners;
  private final List<RedisChannels> channels = new CopyOnWriteArrayList<>();
  private boolean closed;
  private volatile CompletableFuture<Void> heard = new CompletableFuture<>();

  SpringRedis(RedisSettings settings) {
    this.settings = settings;
  }

  synchronized LettuceConnectionFactory connectionFactory() {
    if (factory == null) {
      factory = new Factory(settings);
      factory.afterPropertiesSet();
      factory.start();
    }
    return factory;
  }

  synchronized ChannelListeners listenerContainer() {
    if (listeners == null) {
      requireSubscribe();
      listeners = new ChannelListeners(connectionFactory());
      listeners.afterPropertiesSet();
      listeners.start();
      listeners.addMessageListener(
          (message, pattern) -> hear(new String(message.getBody(), StandardCharsets.UTF_8)),
          List.of(new ChannelTopic(BookKeys.EVENTS)));
    }
    return listeners;
  }

  /**
   * Channels to subscribe to while the application runs; they are closed with this object.
   *
   * @param listener gets what happens on them
   */
  public RedisChannels channels(RedisChannels.Listener listener) {
    RedisChannels made = new RedisChannels(this::client, listener);
    channels.add(made);
    return made;
  }

  private RedisClient client() {
    return (RedisClient) connectionFactory().getRequiredNativeClient();
  }

  /**
   * Refuses the start when this node may not subscribe; Spring would silently retry for ever.
   *
   * @throws StartRefusedException when Redis does not let this node subscribe
   */
  private void requireSubscribe() {
    try (StatefulRedisPubSubConnection<String, String> connection = client().connectPubSub()) {
      String[] all = {BookKeys.EVENTS, BookKeys.ends(NO_PRODUCT)};
      connection.sync().subscribe(all);
      connection.sync().ping();
      connection.sync().unsubscribe(all);
    } catch (RedisException e) {
      RedisRefusal.of(e)
          .ifPresent(
              reason -> {
                throw new StartRefusedException(RedisRefusal.asSentence(reason), e);
              });
      LOG.debug("The right to subscribe can be checked only when Redis is there", e);
    }
  }

  /** Connects anew: a connection that still reaches a Redis that was replaced hears nothing. */
  void renew() {
    channels.forEach(RedisChannels::renew);
    CompletableFuture.runAsync(
        () -> {
          synchronized (this) {
            if (factory != null && !closed) {
              factory.resetConnection();
            }
            if (listeners != null && !closed) {
              listeners.listenAnew();
            }
          }
        });
  }

  private void hear(String text) {
    if (text.equals(node)) {
      heard.complete(null);
    }
  }

  /**
   * Publishes a text that all listeners ignore, and waits to receive it.
   *
   * @throws RedisUnavailableException with the reason, when Redis is away or refuses one of these
   *     steps
   */
  public void look() throws InterruptedException {
    try {
      ChannelListeners container = listenerContainer();
      StringRedisTemplate template = new StringRedisTemplate(connectionFactory());
      CompletableFuture<Void> next = new CompletableFuture<>();
      heard = next;
      template.convertAndSend(BookKeys.EVENTS, node);
      requireHeard(next, container);
    } catch (DataAccessException e) {
      throw new RedisUnavailableException(
          "Redis: "
              + RedisRefusal.of(e)
                  .orElseGet(() -> NestedExceptionUtils.getMostSpecificCause(e).getMessage()),
          e);
    }
  }

  private void requireHeard(CompletableFuture<Void> next, ChannelListeners container)
      throws InterruptedException {
    long limit = settings.backgroundTimeout().toMillis();
    try {
      next.get(limit, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      container.listenAnew();
      throw new RedisUnavailableException(
          "Redis: a message on "
              + BookKeys.EVENTS
              + " does not arrive within "
              + limit
              + " ms"
              + container.failure().map(reason -> ": " + RedisRefusal.sentence(reason)).orElse(""));
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channels.forEach(RedisChannels::close);
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

  /** Lets Lettuce parse the address, because Spring's own parser drops parts of it. */
  private static final class Factory extends LettuceConnectionFactory {
    private final RedisSettings settings;

    private Factory(RedisSettings settings) {
      super(
          createRedisConfiguration(settings.address()),
          LettuceClientConfiguration.builder()
              .commandTimeout(settings.backgroundTimeout())
              .build());
      this.settings = settings;
    }

    @Override
    protected AbstractRedisClient createClient() {
      RedisClient client = RedisClient.create(settings.address());
      client.setOptions(
          settings
              .clientOptions()
              .timeoutOptions(TimeoutOptions.enabled(settings.backgroundTimeout()))
              .build());
      return client;
    }
  }
}
