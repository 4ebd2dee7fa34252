package io.seckill.minimal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.Purchase;
import io.seckill.domain.QueuedOrder;
import io.seckill.domain.Status;
import io.seckill.order.OrderBatch;
import io.seckill.order.OrderRow;
import io.seckill.order.Outcomes;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * The orders that this node has accepted and MySQL has not decided, and the results of the latest
 * orders (seckill.mode=minimal). The queue is in memory: undecided orders are lost when the process
 * ends. Buyers may ask again under the same key, which gives the same request id.
 *
 * <p>Bounded, thread-safe, never blocks.
 */
public final class OrderQueue {
  private static final String SOURCE = "memory";

  private final int capacity;
  private final Clock clock;
  private final OrderJson json;
  private final Semaphore room;
  private final Map<String, Accepted> undecided = new ConcurrentHashMap<>();
  private final Queue<Accepted> waiting = new ConcurrentLinkedQueue<>();
  private final Cache<String, Known> decided;

  private record Accepted(Purchase purchase, long epoch, long atMillis) {
    Known known() {
      return new Known(purchase, Status.PENDING, null, null);
    }

    OrderRecord order() {
      return new OrderRecord(
          OrderRecord.VERSION,
          purchase.requestId(),
          purchase.productId(),
          purchase.userId(),
          purchase.quantity(),
          purchase.idemKey(),
          epoch,
          atMillis + "-0",
          0);
    }
  }

  /**
   * What this node knows of a request.
   *
   * @param orderId null unless the status is SUCCESS
   * @param reason null unless the request failed
   */
  public record Known(Purchase purchase, Status status, Long orderId, String reason) {}

  /**
   * @param capacity largest number of undecided orders
   * @param remembered largest number of decided orders to remember
   */
  public OrderQueue(int capacity, long remembered, OrderJson json, Clock clock) {
    this.capacity = capacity;
    this.json = json;
    this.clock = clock;
    this.room = new Semaphore(capacity);
    this.decided = Caffeine.newBuilder().maximumSize(remembered).executor(Runnable::run).build();
  }

  /** What this node knows of a request; empty when it was accepted on another node or long ago. */
  public Optional<Known> find(String requestId) {
    Accepted accepted = undecided.get(requestId);
    return accepted != null
        ? Optional.of(accepted.known())
        : Optional.ofNullable(decided.getIfPresent(requestId));
  }

  /**
   * Queues a purchase.
   *
   * @param epoch the sale's epoch as this node knows it
   * @return empty when it was accepted now, else what is known of the earlier acceptance
   * @throws RejectedExecutionException when the queue is full
   */
  public Optional<Known> offer(Purchase purchase, long epoch) {
    if (!room.tryAcquire()) {
      throw new RejectedExecutionException(capacity + " orders wait for MySQL");
    }
    Accepted accepted = new Accepted(purchase, epoch, clock.millis());
    Accepted earlier = undecided.putIfAbsent(purchase.requestId(), accepted);
    if (earlier != null) {
      room.release();
      return Optional.of(earlier.known());
    }
    waiting.add(accepted);
    return Optional.empty();
  }

  /** Whether an order waits for the writer. */
  public boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** Takes the oldest orders; an empty batch when none waits. */
  public OrderBatch take(int atMost) {
    List<QueuedOrder> batch = new ArrayList<>();
    while (batch.size() < atMost) {
      Accepted accepted = waiting.poll();
      if (accepted == null) {
        break;
      }
      OrderRecord order = accepted.order();
      batch.add(new QueuedOrder(order, json.write(order), SOURCE));
    }
    return OrderBatch.of(batch);
  }

  /**
   * Takes MySQL's decisions.
   *
   * @return the rows of orders that were undecided until now
   */
  public List<OrderRow> decide(Outcomes outcomes) {
    List<OrderRow> ended = new ArrayList<>();
    for (OrderRow row : outcomes.rows()) {
      Accepted accepted = undecided.get(row.requestId());
      if (accepted != null) {
        decided.put(row.requestId(), known(accepted.purchase(), row));
        if (undecided.remove(row.requestId(), accepted)) {
          room.release();
          ended.add(row);
        }
      }
    }
    return ended;
  }

  /** Uses the row's quantity, because the key may have had another quantity before a restart. */
  private static Known known(Purchase asked, OrderRow row) {
    Purchase purchase =
        new Purchase(
            row.productId(), row.userId(), asked.idemKey(), row.quantity(), row.requestId());
    boolean success = row.status() == Status.SUCCESS;
    return new Known(purchase, row.status(), success ? row.id() : null, row.reason());
  }

  /** Drops the undecided orders of a batch, as a crash would. */
  public void forget(OrderBatch batch) {
    batch
        .requestIds()
        .forEach(
            requestId -> {
              if (undecided.remove(requestId) != null) {
                room.release();
              }
            });
  }

  /** Number of undecided orders of all sales. */
  public int size() {
    return undecided.size();
  }

  /** Number of undecided orders of a sale. */
  public long orders(long productId) {
    return purchases(productId).count();
  }

  /** Units of the undecided orders of a sale. */
  public long units(long productId) {
    return purchases(productId).mapToLong(Purchase::quantity).sum();
  }

  private Stream<Purchase> purchases(long productId) {
    return undecided.values().stream()
        .map(Accepted::purchase)
        .filter(purchase -> purchase.productId() == productId);
  }
}
