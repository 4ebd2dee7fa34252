package io.seckill.api;

import io.seckill.book.script.LookupReply.Found;
import io.seckill.domain.Purchase;
import io.seckill.domain.Status;
import io.seckill.order.OrderRow;
import io.vertx.core.impl.ContextInternal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.camel.Body;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buyers who wait on this node for the end of a purchase. This node listens to the ends of a
 * product only while somebody waits for one of them. Whoever waits for long, or began to wait
 * before this node listened, is looked up in the book, so that no lost message matters.
 *
 * <p>Thread-safe. No thread waits, and no method blocks.
 */
public final class Waiters implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Waiters.class);

  /** Connections that may wait for one purchase at a time. */
  private static final int MAX_PER_PURCHASE = 4;

  private static final long PERIOD_MILLIS = 500;
  private static final long FIRST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NEXT_LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LISTEN_ON_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Where this node learns of ends. */
  public interface Ends {
    /**
     * Begins to tell {@link Waiters#ended} of this product's purchases, and calls {@link
     * Waiters#lookAgain} when it has begun. Does not block.
     */
    default void listen(long productId) {}

    /** Ends what {@link #listen} began. Does not block. */
    default void leave(long productId) {}

    /** Those of these purchases of one product that the book says have ended. May block. */
    default List<Found> ended(List<Purchase> purchases) {
      return List.of();
    }
  }

  /** The waiters of a product, by request id. */
  private static final class Group {
    private final Map<String, List<Waiter>> waiters = new ConcurrentHashMap<>();
    private volatile long emptySince = System.nanoTime();
  }

  private final int capacity;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Map<Long, Group> groups = new ConcurrentHashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "result-waiters");
            made.setDaemon(true);
            return made;
          });
  private volatile Ends ends;
  private volatile boolean closed;

  /**
   * @param capacity largest number of waiters; beyond it {@link #await} refuses
   */
  public Waiters(int capacity) {
    this.capacity = capacity;
  }

  /** Begins to listen where this says. Call it before the first wait. */
  public void listenTo(Ends source) {
    this.ends = source;
    thread.scheduleWithFixedDelay(this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Number of buyers who wait now. */
  public int size() {
    return waiting.get();
  }

  /**
   * Waits for the end of a purchase. Called on an event loop.
   *
   * @param whenOver gets the end, or null when the time is over, later and on this event loop
   * @return false when nobody more may wait; then {@code whenOver} never runs
   */
  boolean await(Purchase purchase, Wait wait, Consumer<Found> whenOver) {
    if (closed || waiting.incrementAndGet() > capacity) {
      waiting.decrementAndGet();
      return false;
    }
    Waiter waiter = new Waiter(purchase, ContextInternal.current(), this::remove, whenOver);
    if (!add(waiter)) {
      waiting.decrementAndGet();
      return false;
    }
    waiter.giveUpAfter(wait.seconds());
    wait.whenClosed().accept(() -> waiter.end(null));
    if (closed) {
      waiter.end(null);
    }
    return true;
  }

  private boolean add(Waiter waiter) {
    boolean[] added = new boolean[1];
    boolean[] first = new boolean[1];
    groups.compute(
        waiter.purchase().productId(),
        (product, known) -> {
          first[0] = known == null;
          Group group = known == null ? new Group() : known;
          group.waiters.compute(
              waiter.purchase().requestId(),
              (requestId, others) -> {
                added[0] = others == null || others.size() < MAX_PER_PURCHASE;
                return added[0] ? plus(others, waiter) : others;
              });
          return group;
        });
    if (first[0]) {
      run(() -> ends.listen(waiter.purchase().productId()));
    }
    return added[0];
  }

  private static List<Waiter> plus(List<Waiter> others, Waiter waiter) {
    if (others == null) {
      return List.of(waiter);
    }
    List<Waiter> all = new ArrayList<>(others);
    all.add(waiter);
    return List.copyOf(all);
  }

  private void remove(Waiter waiter) {
    waiting.decrementAndGet();
    Group group = groups.get(waiter.purchase().productId());
    group.waiters.computeIfPresent(
        waiter.purchase().requestId(),
        (requestId, all) -> {
          List<Waiter> others = all.stream().filter(other -> other != waiter).toList();
          return others.isEmpty() ? null : others;
        });
    if (group.waiters.isEmpty()) {
      group.emptySince = System.nanoTime();
    }
  }

  /** MySQL has decided these orders, whose node is this one. */
  public void decided(@Body List<OrderRow> orders) {
    for (OrderRow row : orders) {
      ended(
          row.productId(),
          new Found(
              row.requestId(),
              row.status(),
              row.status() == Status.SUCCESS ? row.id() : null,
              row.reason(),
              row.clientKey(),
              row.quantity(),
              ""));
    }
  }

  /** A purchase of this product has ended. */
  public void ended(long productId, Found end) {
    Group group = groups.get(productId);
    if (group != null) {
      group.waiters.getOrDefault(end.requestId(), List.of()).forEach(waiter -> waiter.end(end));
    }
  }

  /** Looks up all purchases of a product that are waited for, because messages may be lost. */
  public void lookAgain(long productId) {
    run(
        () -> {
          Group group = groups.get(productId);
          if (group != null) {
            lookUp(productId, group.waiters.values().stream().flatMap(List::stream).toList());
          }
        });
  }

  /** Looks up whoever has waited long, and leaves products for which nobody waits. */
  private void look() {
    long now = System.nanoTime();
    Map<Long, List<Waiter>> due = new HashMap<>();
    groups.forEach(
        (product, group) -> {
          List<Waiter> late =
              group.waiters.values().stream()
                  .flatMap(List::stream)
                  .filter(waiter -> waiter.isDue(now, FIRST_LOOK_NANOS, NEXT_LOOK_NANOS))
                  .toList();
          if (!late.isEmpty()) {
            due.put(product, late);
          } else if (isLongEmpty(group, now)) {
            leave(product, now);
          }
        });
    due.forEach(this::lookUp);
  }

  private static boolean isLongEmpty(Group group, long now) {
    return group.waiters.isEmpty() && now - group.emptySince > LISTEN_ON_NANOS;
  }

  /** On the thread that also listens, so that a product is never left after it was listened to. */
  private void leave(long productId, long now) {
    groups.computeIfPresent(
        productId,
        (product, group) -> {
          if (!isLongEmpty(group, now)) {
            return group;
          }
          ends.leave(product);
          return null;
        });
  }

  private void lookUp(long productId, List<Waiter> waiters) {
    long now = System.nanoTime();
    waiters.forEach(waiter -> waiter.looked(now));
    try {
      ends.ended(waiters.stream().map(Waiter::purchase).toList())
          .forEach(end -> ended(productId, end));
    } catch (RuntimeException e) {
      // the next look asks again
      LOG.debug("Product {}: the book does not tell what is waited for", productId, e);
    }
  }

  private void run(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Stopping: nobody waits any more");
    }
  }

  /** Lets everybody go who waits, and nobody wait from now on. */
  @Override
  public void close() {
    closed = true;
    thread.shutdownNow();
    groups
        .values()
        .forEach(
            group ->
                group.waiters.values().stream()
                    .flatMap(List::stream)
                    .forEach(waiter -> waiter.end(null)));
  }
}
