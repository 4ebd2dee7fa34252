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
 * A container whose listeners may come while Redis is away: they listen as soon as it is there, and
 * again after it was away. Messages are handed over one at a time, in their order.
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
      LOG.warn("Redis is away: listening to {} begins when it is there", topics);
      again(listener, topics);
    }
  }

  /** Why listening could not begin at the last attempt; empty where it has begun. */
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
      // Redis is away in one of many ways; whatever it was, listening must begin some time
      failure = NestedExceptionUtils.getMostSpecificCause(e).getMessage();
      LOG.debug("Not listening yet", e);
      return false;
    }
  }

  /**
   * Ends the subscription and begins it again. A connection that the driver made anew, and whose
   * subscription Redis then refused, hears nothing and does not tell.
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
