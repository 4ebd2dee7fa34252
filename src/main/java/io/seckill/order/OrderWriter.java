package io.seckill.order;

import io.seckill.book.script.HeldReply;
import io.seckill.domain.DeadLetter;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.QueuedOrder;
import io.seckill.domain.Status;
import io.seckill.domain.UnreadableOrderException;
import io.seckill.kafka.ReceivedRecord;
import io.seckill.redis.ScriptCall;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/**
 * Makes the decisions between the writer's statements: which rows to insert, and what the rows that
 * are read back mean. Stateless.
 */
public final class OrderWriter {
  private static final String OLD_EPOCH = "reserved in a book that is gone";
  private static final String UNKNOWN_PRODUCT = "no such product";
  private static final String NOT_WRITTEN = "the order could not be written";
  private static final String SECOND_ORDER = "the buyer holds another order of this product";

  private final OrderJson json;
  private final Clock clock;

  public OrderWriter(OrderJson json, Clock clock) {
    this.json = json;
    this.clock = clock;
  }

  /** Splits polled records into orders and unreadable ones. */
  public Intake read(@Body List<ReceivedRecord> records) {
    List<QueuedOrder> orders = new ArrayList<>(records.size());
    List<DeadLetter> unreadable = new ArrayList<>();
    for (ReceivedRecord received : records) {
      try {
        OrderRecord order = json.read(received.value());
        orders.add(new QueuedOrder(order, received.value(), received.origin()));
      } catch (UnreadableOrderException e) {
        unreadable.add(DeadLetter.unreadable(received.value(), received.origin(), e.getMessage()));
      }
    }
    return new Intake(OrderBatch.of(orders), unreadable);
  }

  /**
   * The calls of {@code held} that ask the books for records of an older epoch: none as a rule.
   *
   * @param epochs rows of {@code sql/share-epochs.sql}
   */
  public List<ScriptCall> older(
      @Variable("epochs") List<ProductEpoch> epochs, @Variable("batch") OrderBatch batch) {
    return Fence.questions(byProduct(epochs), batch);
  }

  /**
   * Takes the books' answers about records of an older epoch. Those that a book of the present
   * epoch holds as pending get that epoch.
   *
   * @param replies of {@code held.lua}, to the calls of {@link #older}
   * @throws StaleEpochException while a book is being adopted: the transaction is to be run again
   */
  public OrderBatch fenced(
      @Body List<HeldReply> replies,
      @Variable("older") List<ScriptCall> calls,
      @Variable("epochs") List<ProductEpoch> epochs,
      @Variable("batch") OrderBatch batch) {
    return Fence.pass(batch, byProduct(epochs), calls, replies);
  }

  private static Map<Long, Long> byProduct(List<ProductEpoch> epochs) {
    Map<Long, Long> epochOf = new HashMap<>();
    epochs.forEach(product -> epochOf.put(product.id(), product.epoch()));
    return epochOf;
  }

  /**
   * The rows to insert: SUCCESS for an order of its product's epoch; a tombstone for an order of an
   * older epoch, because its units belong to others.
   *
   * @param epochs rows of {@code sql/share-epochs.sql}
   */
  public List<NewOrderRow> rows(
      @Variable("epochs") List<ProductEpoch> epochs, @Variable("batch") OrderBatch batch) {
    Map<Long, Long> epochOf = byProduct(epochs);
    long now = clock.millis();
    List<NewOrderRow> rows = new ArrayList<>(batch.size());
    for (QueuedOrder queued : batch.orders()) {
      OrderRecord order = queued.order();
      Long epoch = epochOf.get(order.productId());
      if (epoch == null) {
        rows.add(NewOrderRow.of(order, Status.FAIL_SYSTEM, UNKNOWN_PRODUCT, now));
      } else if (order.epoch() < epoch) {
        rows.add(NewOrderRow.of(order, Status.FAIL_SYSTEM, OLD_EPOCH, now));
      } else {
        rows.add(NewOrderRow.of(order, Status.SUCCESS, null, now));
      }
    }
    return rows;
  }

  /**
   * The rows that this attempt has just inserted, all of them new, if their ids are known without
   * reading them back. The server gives the rows of a batch rising ids in their order. So where the
   * first and the last one lie as far apart as the batch is long, the rows have the ids between.
   * Another writer's rows, or a server that counts in larger steps, leave gaps.
   *
   * @param ends rows of {@code sql/find-ends.sql}
   * @param rows the rows that were inserted, in their order
   * @return one for each row; empty when they must be read back: the ids are not known, or a
   *     tombstone is among them, because units return only after MySQL was asked
   */
  public List<OrderRow> number(
      @Body List<OrderEnd> ends,
      @Variable("rows") List<NewOrderRow> rows,
      @Variable("attempt") String attempt) {
    long first = ends.get(0).id();
    long last = ends.get(ends.size() - 1).id();
    if (last - first != rows.size() - 1
        || rows.stream().anyMatch(row -> row.status() != Status.SUCCESS)) {
      return List.of();
    }
    List<OrderRow> numbered = new ArrayList<>(rows.size());
    for (NewOrderRow row : rows) {
      numbered.add(row.written(first + numbered.size(), attempt));
    }
    return numbered;
  }

  /**
   * The outcomes that the read-back shows.
   *
   * @param found rows of {@code sql/find-orders.sql}, or those of {@link #number}
   */
  public Outcomes judge(@Body List<OrderRow> found, @Variable("batch") OrderBatch batch) {
    if (found.size() == batch.size()) {
      return new Outcomes(found, List.of());
    }
    Set<String> ids = found.stream().map(OrderRow::requestId).collect(Collectors.toSet());
    List<QueuedOrder> missing =
        batch.orders().stream().filter(queued -> !ids.contains(queued.requestId())).toList();
    return new Outcomes(found, missing);
  }

  /**
   * The same as {@link #judge}, after an insert that gives every order of the batch a row.
   *
   * @throws IllegalStateException when an order has no row
   */
  public Outcomes judgeAll(@Body List<OrderRow> found, @Variable("batch") OrderBatch batch) {
    Outcomes outcomes = judge(found, batch);
    if (!outcomes.missing().isEmpty()) {
      throw new IllegalStateException(
          "No row of " + outcomes.missing().get(0).requestId() + " although it was just written");
    }
    return outcomes;
  }

  /**
   * Tombstones for the orders without a row, which only another live order of the same buyer can
   * prevent.
   */
  public List<NewOrderRow> duplicates(@Body Outcomes outcomes) {
    return tombstones(outcomes.missing(), Status.FAIL_DUPLICATE, SECOND_ORDER);
  }

  /** Tombstones for orders that could not be written. */
  public List<NewOrderRow> compensations(@Body OrderBatch batch) {
    return tombstones(batch.orders(), Status.FAIL_SYSTEM, NOT_WRITTEN);
  }

  /** The dead letter of a batch of one order that was refused. */
  public DeadLetter refused(OrderBatch batch, Exception failure) {
    QueuedOrder order = batch.orders().iterator().next();
    return DeadLetter.refused(order, failure, batch.redeliveries() + 1);
  }

  private List<NewOrderRow> tombstones(
      Collection<QueuedOrder> orders, Status status, String reason) {
    long now = clock.millis();
    return orders.stream()
        .map(queued -> NewOrderRow.of(queued.order(), status, reason, now))
        .toList();
  }
}
