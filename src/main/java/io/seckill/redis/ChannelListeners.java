package io.seckill.redis;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.listener.Topic;

/**
 * A container that accepts listeners while Redis is away: they listen as soon as Redis is there,
 * and again after each outage. It delivers messages one at a time, in order.
 */
final class ChannelListeners extends RedisMessageListenerContainer {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelListeners.class);
  private static final long RECOVERY_MILLIS = 500;

  private final ScheduledExecutorService messages = executor("redis-messages");
  private final ScheduledExecutorService recovery = executor("redis-listeners");
  private final Set<MessageListener> waiting = ConcurrentHashMap.newKeySet();
  private volatile String failure;

  ChannelListeners(RedisConnectionFactory factory) {
    setConnectionFactory(factory);
    setTaskExecutor(messages);
    setSubscriptionExecutor(recovery);
    setRecoveryInterval(RECOVERY_MILLIS);
  }

  private static ScheduledExecutorService executor(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public void addMessageListener(MessageListener listener, Collection<? extends Topic> topics) {
    waiting.add(listener);
    if (!listens(listener, topics)) {
      LOG.warn("Redis is away: this node will listen to {} when it is back", topics);
      again(listener, topics);
    }
  }

  /** Why the last attempt to listen failed; empty after a success. */
  Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  private boolean listens(MessageListener listener, Collection<? extends Topic> topics) {
    try {
      super.addMessageListener(listener, topics);
      waiting.remove(listener);
      failure = null;
      return true;
    } catch (RuntimeException e) {
      // Redis can be away in many ways; after each of them listening must begin at some time
      failure = NestedExceptionUtils.getMostSpecificCause(e).getMessage();
      LOG.debug("Not listening yet", e);
      return false;
    }
  }

  /**
   * Ends the subscription and begins it again. When the driver reconnects and Redis refuses the
   * subscription, the connection hears nothing and reports no error.
   */
  void listenAnew() {
    try {
      stop();
      start();
      failure = null;
    } catch (RuntimeException e) {
      failure = NestedExceptionUtils.getMostSpecificCause(e).getMessage();
      LOG.debug("Not listening yet", e);
    }
  }

  private void again(MessageListener listener, Collection<? extends Topic> topics) {
    try {
      recovery.schedule(
          () -> {
            if (waiting.contains(listener) && !listens(listener, topics)) {
              again(listener, topics);
            }
          },
          RECOVERY_MILLIS,
          TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Stopping: no more attempts to listen");
    }
  }

  @Override
  public void removeMessageListener(MessageListener listener, Collection<? extends Topic> topics) {
    waiting.remove(listener);
    super.removeMessageListener(listener, topics);
  }

  @Override
  public void destroy() throws Exception {
    recovery.shutdownNow();
    super.destroy();
    messages.shutdownNow();
  }
}
