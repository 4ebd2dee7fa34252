package io.seckill.outbox;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes this node's outbox readers when one of its scripts has written an outbox entry, so that no
 * order waits for a poll.
 */
public final class OutboxSignal {
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

  /** Reports a new entry in this product's outbox. Any thread; does not block. */
  void raise(long productId) {
    for (Subscription subscription : subscriptions) {
      subscription.raise(productId);
    }
  }

  /** Subscribes the thread that will call {@link Subscription#await}. */
  Subscription subscribe() {
    Subscription subscription = new Subscription();
    subscriptions.add(subscription);
    return subscription;
  }

  final class Subscription implements AutoCloseable {
    private final Set<Long> raised = ConcurrentHashMap.newKeySet();
    private volatile Thread waiting;
    private volatile Thread resting;
    private volatile boolean woken;

    private void raise(long productId) {
      if (raised.add(productId)) {
        woken = true;
        LockSupport.unpark(waiting);
      }
    }

    /** Ends a wait or a rest without reporting a product. */
    void wake() {
      woken = true;
      LockSupport.unpark(waiting);
      LockSupport.unpark(resting);
    }

    /** Waits for that time, or {@link #wake}; reports do not end it. One thread. */
    void rest(long nanos) {
      if (nanos > 0) {
        resting = Thread.currentThread();
        LockSupport.parkNanos(this, nanos);
        resting = null;
      }
    }

    /** Waits until a product was reported since {@link #take}, or the time is over. One thread. */
    void await(long nanos) {
      long end = System.nanoTime() + nanos;
      waiting = Thread.currentThread();
      try {
        long left;
        while (!woken
            && (left = end - System.nanoTime()) > 0
            && !Thread.currentThread().isInterrupted()) {
          LockSupport.parkNanos(this, left);
        }
      } finally {
        waiting = null;
      }
    }

    /** The products reported since the last call. */
    Set<Long> take() {
      woken = false;
      if (raised.isEmpty()) {
        return Set.of();
      }
      Set<Long> taken = Set.copyOf(raised);
      raised.removeAll(taken);
      return taken;
    }

    @Override
    public void close() {
      subscriptions.remove(this);
    }
  }
}
