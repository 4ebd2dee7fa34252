package io.seckill.minimal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.Purchase;
import io.seckill.domain.QueuedOrder;
import io.seckill.domain.RequestId;
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
 * orders (seckill.mode=minimal). Each accepted order becomes a row that stays. Therefore the queue
 * accepts one undecided order of a buyer and product at a time, and none from a buyer who has
 * bought, as far as this node knows. The queue is in memory: undecided orders are lost when the
 * process ends. Buyers may ask again under the same key, which gives the same request id.
 *
 * <p>Bounded, thread-safe, never blocks.
 */
public final class OrderQueue {
  private static final String SOURCE = "memory";

  /** Rows that a buyer's further keys make where this node does not know his order. */
  private static final int MAX_DUPLICATES = 10;

  private final int capacity;
  private final Clock clock;
  private final OrderJson json;
  private final Semaphore room;
  private final Map<Buyer, Accepted> undecided = new ConcurrentHashMap<>();
  private final Queue<Accepted> waiting = new ConcurrentLinkedQueue<>();
  private final Cache<String, Known> decided;

  /** By buyer: his order, or a purchase that met an order which this node does not know. */
  private final Cache<Buyer, Known> bought;

  /** By buyer: how many purchases have met an order which this node does not know. */
  private final Cache<Buyer, Integer> duplicates;

  private record Buyer(long productId, long userId) {
    static Buyer of(Purchase purchase) {
      return new Buyer(purchase.productId(), purchase.userId());
    }
  }

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
    this.decided = memory(remembered);
    this.bought = memory(remembered);
    this.duplicates = memory(remembered);
  }

  private static <K, V> Cache<K, V> memory(long size) {
    return Caffeine.newBuilder().maximumSize(size).executor(Runnable::run).build();
  }

  /** What this node knows of a request; empty when it was accepted on another node or long ago. */
  public Optional<Known> find(RequestId request) {
    return find(new Buyer(request.productId(), request.userId()), request.toString());
  }

  /** What this node knows of the request that this purchase repeats; else empty. */
  public Optional<Known> find(Purchase purchase) {
    return find(Buyer.of(purchase), purchase.requestId());
  }

  private Optional<Known> find(Buyer buyer, String requestId) {
    Accepted accepted = undecided.get(buyer);
    return accepted != null && accepted.purchase().requestId().equals(requestId)
        ? Optional.of(accepted.known())
        : Optional.ofNullable(decided.getIfPresent(requestId));
  }

  /**
   * The purchase for which a buyer may not buy this product under another key: it is undecided, or
   * an order. When this node does not know the order, but several purchases have met it, the last
   * of these, whose status is FAIL_DUPLICATE. Else empty.
   */
  public Optional<Known> held(Purchase purchase) {
    Buyer buyer = Buyer.of(purchase);
    Accepted accepted = undecided.get(buyer);
    return accepted != null
        ? Optional.of(accepted.known())
        : Optional.ofNullable(bought.getIfPresent(buyer));
  }

  /**
   * Queues a purchase.
   *
   * @param epoch the sale's epoch as this node knows it
   * @return empty when it was accepted now, else the buyer's purchase under this key or another, as
   *     {@link #held} gives it
   * @throws RejectedExecutionException when the queue is full
   */
  public Optional<Known> offer(Purchase purchase, long epoch) {
    if (!room.tryAcquire()) {
      throw new RejectedExecutionException(capacity + " orders wait for MySQL");
    }
    Buyer buyer = Buyer.of(purchase);
    Accepted accepted = new Accepted(purchase, epoch, clock.millis());
    Accepted earlier = undecided.putIfAbsent(buyer, accepted);
    if (earlier != null) {
      room.release();
      return Optional.of(earlier.known());
    }
    Known decidedMeanwhile = bought.getIfPresent(buyer);
    if (decidedMeanwhile != null) {
      remove(buyer, accepted);
      return Optional.of(decidedMeanwhile);
    }
    waiting.add(accepted);
    return Optional.empty();
  }

  private boolean remove(Buyer buyer, Accepted accepted) {
    boolean removed = undecided.remove(buyer, accepted);
    if (removed) {
      room.release();
    }
    return removed;
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
      Buyer buyer = new Buyer(row.productId(), row.userId());
      Accepted accepted = undecided.get(buyer);
      if (accepted != null && accepted.purchase().requestId().equals(row.requestId())) {
        Known known = known(accepted.purchase(), row);
        decided.put(row.requestId(), known);
        if (row.status() == Status.SUCCESS
            || row.status() == Status.FAIL_DUPLICATE
                && duplicates.asMap().merge(buyer, 1, Integer::sum) >= MAX_DUPLICATES) {
          bought.put(buyer, known);
        }
        if (remove(buyer, accepted)) {
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
    for (QueuedOrder queued : batch.orders()) {
      OrderRecord order = queued.order();
      Buyer buyer = new Buyer(order.productId(), order.userId());
      Accepted accepted = undecided.get(buyer);
      if (accepted != null && accepted.purchase().requestId().equals(order.requestId())) {
        remove(buyer, accepted);
      }
    }
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
