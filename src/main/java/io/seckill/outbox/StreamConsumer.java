package io.seckill.outbox;

import io.seckill.redis.RedisUnavailableException;
import io.seckill.redis.ScriptException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Suspendable;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.DefaultConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads outboxes on one thread. The route processes each batch before the next is read.
 *
 * <p>{@link OutboxSignal} wakes it for entries of this node. A lone entry is read at once; in a
 * steady stream the reader reads at most once in {@code linger}, so that the entries of that time
 * share a batch. Each node relays its own entries: all outboxes are polled only for what a node
 * left that is gone or lost an answer; the more outboxes, the longer the interval.
 */
final class StreamConsumer extends DefaultConsumer implements Suspendable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamConsumer.class);

  /** It polls at most 200 outboxes a second, and each at most twice a second. */
  private static final long POLL_MILLIS_PER_OUTBOX = 5;

  private static final long SHORTEST_POLL_MILLIS = 500;
  private static final long LONGEST_POLL_MILLIS = 5_000;
  private static final long SUSPENDED_MILLIS = 1_000;
  private static final long NO_SALE_MILLIS = 250;
  private static final long REREAD_MILLIS = 500;
  private static final long FIRST_BACKOFF_MILLIS = 100;
  private static final long CLAIMS_PER_IDLE = 4;
  private static final long RETIRE_AFTER_IDLES = 60;
  private static final long STOP_LIMIT_SECONDS = 10;

  private final StreamEndpoint endpoint;
  private OutboxSource source;
  private OutboxSignal.Subscription signal;
  private OutboxReader reader;
  private ExecutorService executor;
  private Future<?> running;

  /** Products that may hold new entries. */
  private final Set<Long> hot = new LinkedHashSet<>();

  /** Products of which this reader holds, or may hold, entries that the route has not got. */
  private final Set<Long> owed = new LinkedHashSet<>();

  private boolean unreadable;
  private long nextReread;
  private long nextPoll;
  private long nextShare;
  private long nextClaim;
  private long nextRetirement;
  private long backoff;

  StreamConsumer(StreamEndpoint endpoint, Processor processor) {
    super(endpoint, processor);
    this.endpoint = endpoint;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    source =
        endpoint.getSource() != null
            ? endpoint.getSource()
            : CamelContextHelper.mandatoryFindSingleByType(
                endpoint.getCamelContext(), OutboxSource.class);
    reader = endpoint.outboxes().reader(endpoint.getGroup(), readerName());
    signal = endpoint.outboxes().signal().subscribe();
    hot.clear();
    owed.clear();
    nextPoll = System.nanoTime();
    nextShare = nextPoll;
    nextClaim = nextPoll;
    nextRetirement = nextPoll;
    nextReread = nextPoll;
    backoff = 0;
    executor =
        endpoint
            .getCamelContext()
            .getExecutorServiceManager()
            .newSingleThreadExecutor(this, "redis-stream-" + endpoint.getGroup());
    running = executor.submit(this::run);
  }

  /**
   * A new name for each start. The entries of an earlier reader are claimed after their idle time.
   */
  private static String readerName() {
    return ProcessHandle.current().pid() + "-" + UUID.randomUUID().toString().substring(0, 8);
  }

  @Override
  protected void doSuspend() throws Exception {
    super.doSuspend();
    signal.wake();
  }

  @Override
  protected void doResume() throws Exception {
    super.doResume();
    signal.wake();
  }

  /** Waits for the batch that the route is processing. */
  @Override
  protected void doStop() throws Exception {
    super.doStop();
    if (running != null) {
      signal.wake();
      try {
        running.get(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        LOG.warn("The route is still processing a batch: interrupting it");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      endpoint.getCamelContext().getExecutorServiceManager().shutdownNow(executor);
      signal.close();
      running = null;
    }
  }

  private void run() {
    while (isRunAllowed() && !isStoppingOrStopped()) {
      long pause;
      if (isSuspendingOrSuspended()) {
        hot.addAll(signal.take());
        pause = SUSPENDED_MILLIS;
      } else {
        pause = turn();
      }
      if (pause > 0) {
        signal.await(TimeUnit.MILLISECONDS.toNanos(pause));
      }
    }
    leave();
  }

  /**
   * @return milliseconds to wait unless a signal comes
   */
  private long turn() {
    try {
      Collection<Long> products = source.productIds();
      if (products.isEmpty()) {
        signal.take();
        return NO_SALE_MILLIS;
      }
      unreadable = false;
      List<OutboxEntry> batch = next(products);
      if (unreadable && batch.isEmpty()) {
        if (backoff == 0) {
          LOG.warn("Outboxes cannot be read now");
        }
        return pauseAfterFailure();
      }
      if (batch.isEmpty()) {
        retireOthers(products);
        return hot.isEmpty() ? untilNextPoll() : 0;
      }
      nextShare = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(endpoint.getLinger());
      if (deliver(batch)) {
        backoff = 0;
        return 0;
      }
      batch.forEach(entry -> owed.add(entry.productId()));
      nextReread = System.nanoTime();
      return pauseAfterFailure();
    } catch (Throwable e) {
      // catches an Error as well, because this node relays nothing after this thread has ended
      getExceptionHandler().handleException("Outboxes cannot be read", e);
      return pauseAfterFailure();
    }
  }

  private long pauseAfterFailure() {
    backoff = Math.min(endpoint.getMaxBackoff(), backoff == 0 ? FIRST_BACKOFF_MILLIS : 2 * backoff);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoff);
    long left;
    while (isRunAllowed()
        && !isStoppingOrStopped()
        && (left = end - System.nanoTime()) > 0
        && !Thread.currentThread().isInterrupted()) {
      hot.addAll(signal.take());
      signal.await(left);
    }
    return 0;
  }

  private long untilNextPoll() {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nextPoll - System.nanoTime()));
  }

  private List<OutboxEntry> next(Collection<Long> products) {
    int budget = endpoint.getMaxBatch();
    long now = System.nanoTime();
    if (reader.isRedisReplaced()) {
      owed.addAll(products);
      nextReread = now;
    }
    if (!owed.isEmpty() && now - nextReread >= 0) {
      List<Long> chosen = first(owed, budget);
      chosen.forEach(owed::remove);
      OutboxReader.Batch again = reader.reread(chosen, budget);
      owed.addAll(again.more());
      note(again, chosen);
      if (!again.entries().isEmpty()) {
        return again.entries();
      }
    }
    if (now - nextClaim >= 0) {
      List<Long> chosen = first(products, budget);
      OutboxReader.Batch claimed = reader.claim(chosen, budget, endpoint.getClaimIdle());
      note(claimed, chosen);
      if (claimed.more().isEmpty()) {
        nextClaim = now + TimeUnit.MILLISECONDS.toNanos(endpoint.getClaimIdle() / CLAIMS_PER_IDLE);
      }
      if (!claimed.entries().isEmpty()) {
        LOG.info(
            "Took over {} outbox entries that another reader has not acknowledged",
            claimed.entries().size());
        return claimed.entries();
      }
    }
    Set<Long> asked = new LinkedHashSet<>();
    boolean woken = listen();
    if (now - nextPoll >= 0) {
      asked.addAll(products);
      nextPoll = now + TimeUnit.MILLISECONDS.toNanos(pollMillis(products.size()));
    } else {
      if (woken) {
        linger();
      }
      asked.addAll(hot);
      asked.retainAll(new HashSet<>(products));
    }
    hot.clear();
    if (asked.isEmpty()) {
      return List.of();
    }
    List<Long> chosen = first(asked, budget);
    asked.removeAll(chosen);
    OutboxReader.Batch batch = reader.read(chosen, budget);
    note(batch, chosen);
    hot.addAll(asked);
    hot.addAll(batch.more());
    return batch.entries();
  }

  /** Notes the products that must be read again a little later. */
  private void note(OutboxReader.Batch batch, Collection<Long> asked) {
    if (!batch.unsure().isEmpty()) {
      owed.addAll(batch.unsure());
      nextReread = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REREAD_MILLIS);
      unreadable |= batch.unsure().size() == asked.size() && batch.entries().isEmpty();
    }
  }

  private boolean listen() {
    Set<Long> raised = signal.take();
    boolean woken = hot.isEmpty() && !raised.isEmpty();
    hot.addAll(raised);
    return woken;
  }

  /** Lets entries gather if the last batch was only just read. */
  private void linger() {
    signal.rest(nextShare - System.nanoTime());
    hot.addAll(signal.take());
  }

  private static long pollMillis(int outboxes) {
    return Math.max(
        SHORTEST_POLL_MILLIS, Math.min(LONGEST_POLL_MILLIS, outboxes * POLL_MILLIS_PER_OUTBOX));
  }

  /** A random choice of products, so few that each may give an entry. */
  private static List<Long> first(Collection<Long> products, int budget) {
    List<Long> chosen = new ArrayList<>(products);
    if (chosen.size() <= budget) {
      return chosen;
    }
    Collections.shuffle(chosen);
    return new ArrayList<>(chosen.subList(0, budget));
  }

  private void retireOthers(Collection<Long> products) {
    long now = System.nanoTime();
    if (now - nextRetirement >= 0) {
      long idle = RETIRE_AFTER_IDLES * endpoint.getClaimIdle();
      nextRetirement = now + TimeUnit.MILLISECONDS.toNanos(idle);
      try {
        reader.retireOthers(products, idle);
      } catch (RedisUnavailableException | ScriptException e) {
        LOG.debug("Cannot remove the readers that are gone from the group", e);
      }
    }
  }

  private boolean deliver(List<OutboxEntry> batch) {
    Exchange exchange = createExchange(false);
    try {
      exchange.getMessage().setBody(batch);
      getProcessor().process(exchange);
    } catch (Exception e) {
      exchange.setException(e);
    }
    try {
      if (exchange.getException() != null) {
        LOG.warn(
            "{} outbox entries wait for another attempt: {}",
            batch.size(),
            exchange.getException().toString());
        return false;
      }
      return !exchange.isRollbackOnly();
    } finally {
      releaseExchange(exchange, false);
    }
  }

  private void leave() {
    try {
      reader.leave(source.productIds());
    } catch (RuntimeException e) {
      LOG.debug("Cannot remove this reader from the group: {}", e.getMessage());
    }
  }
}
