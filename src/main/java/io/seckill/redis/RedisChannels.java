package io.seckill.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions that come and go while the application runs, on one connection of their own. It
 * connects at the first subscription. While Redis is away it tries again and again.
 *
 * <p>Messages that Redis published while this node was not subscribed are lost. {@link
 * Listener#subscribed} tells when a subscription has begun, also when it has begun anew.
 *
 * <p>Thread-safe; no method blocks, except {@link #close}.
 */
public final class RedisChannels implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedisChannels.class);
  private static final long RETRY_MILLIS = 500;

  /** Gets what happens on the channels, on the connection's thread: it must not block. */
  public interface Listener {
    /** Somebody published this text. */
    void message(String channel, String text);

    /** From now on no message of this channel is missed, until the connection breaks. */
    void subscribed(String channel);
  }

  private final Supplier<RedisClient> client;
  private final Listener listener;
  private final Set<String> wanted = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "redis-channels");
            made.setDaemon(true);
            return made;
          });

  /** Used on {@link #thread} only. */
  private StatefulRedisPubSubConnection<String, String> connection;

  RedisChannels(Supplier<RedisClient> client, Listener listener) {
    this.client = client;
    this.listener = listener;
  }

  /** Subscribes, now or as soon as Redis is there. */
  public void subscribe(String channel) {
    if (wanted.add(channel)) {
      run(() -> begin(channel), 0);
    }
  }

  /** Ends a subscription. */
  public void unsubscribe(String channel) {
    if (wanted.remove(channel)) {
      run(
          () -> {
            if (connection != null && !wanted.contains(channel)) {
              connection.async().unsubscribe(channel);
            }
          },
          0);
    }
  }

  /** Connects anew: a connection that still reaches a Redis that was replaced hears nothing. */
  void renew() {
    run(
        () -> {
          disconnect();
          wanted.forEach(this::begin);
        },
        0);
  }

  private void begin(String channel) {
    if (!wanted.contains(channel)) {
      return;
    }
    try {
      if (connection == null) {
        connection = client.get().connectPubSub();
        connection.addListener(new Heard());
      }
      connection
          .async()
          .subscribe(channel)
          .whenComplete((done, failure) -> retryAfter(failure, channel));
    } catch (RedisException e) {
      retryAfter(e, channel);
    }
  }

  private void retryAfter(Throwable failure, String channel) {
    if (failure != null) {
      LOG.debug("Not subscribed to {} yet", channel, failure);
      run(() -> begin(channel), RETRY_MILLIS);
    }
  }

  private void run(Runnable task, long delayMillis) {
    try {
      thread.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Stopping: no more subscriptions");
    }
  }

  private void disconnect() {
    if (connection != null) {
      connection.closeAsync();
      connection = null;
    }
  }

  @Override
  public void close() {
    wanted.clear();
    run(this::disconnect, 0);
    thread.shutdown();
  }

  private final class Heard extends RedisPubSubAdapter<String, String> {
    @Override
    public void message(String channel, String text) {
      listener.message(channel, text);
    }

    @Override
    public void subscribed(String channel, long count) {
      listener.subscribed(channel);
    }
  }
}
