package io.seckill.order;

import io.seckill.book.script.HeldReply;
import io.seckill.book.script.HeldReply.Held;
import io.seckill.book.script.HeldReply.Reservation;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.QueuedOrder;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The rule by which a record of an older epoch is judged: it counts only if the book of the present
 * epoch holds its reservation as pending, and then as that book has it. Whatever else was read from
 * a Redis that is gone, however long ago, is void. Holds no state.
 */
final class Fence {
  private Fence() {}

  /** The calls of {@code held} for the records of an older epoch: none as a rule. */
  static List<ScriptCall> questions(Map<Long, Long> epochs, OrderBatch batch) {
    Map<Long, List<String>> asked = new TreeMap<>();
    for (QueuedOrder queued : batch.orders()) {
      if (isOlder(queued.order(), epochs)) {
        asked
            .computeIfAbsent(queued.order().productId(), product -> new ArrayList<>())
            .add(queued.requestId());
      }
    }
    List<ScriptCall> calls = new ArrayList<>();
    asked.forEach(
        (product, ids) ->
            Outcomes.inChunks(ids)
                .forEach(chunk -> calls.add(ScriptCall.of(product, chunk.toArray(String[]::new)))));
    return calls;
  }

  /**
   * The batch, in which the records of an older epoch that still count are of the present one, with
   * quantity and outbox id as the book has them.
   *
   * @param calls of {@link #questions}
   * @param replies in the order of the calls
   * @throws StaleEpochException while a book is being adopted, or where MySQL was asked before the
   *     book was adopted: the transaction is to be run again
   */
  static OrderBatch pass(
      OrderBatch batch, Map<Long, Long> epochs, List<ScriptCall> calls, List<HeldReply> replies) {
    Map<String, Reservation> held = new HashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      long product = calls.get(i).productId();
      long epoch = epochs.get(product);
      if (replies.get(i) instanceof Held book) {
        if (book.epoch() > epoch || book.fencing() >= epoch) {
          throw new StaleEpochException(product);
        }
        if (book.epoch() == epoch) {
          book.reservations().forEach(each -> held.put(each.requestId(), each));
        }
      }
    }
    Predicate<QueuedOrder> counts =
        queued -> isOlder(queued.order(), epochs) && held.containsKey(queued.requestId());
    return batch.with(
        queued ->
            counts.test(queued) ? lift(queued, held.get(queued.requestId()), epochs) : queued);
  }

  private static QueuedOrder lift(
      QueuedOrder queued, Reservation reservation, Map<Long, Long> epochs) {
    OrderRecord order = queued.order();
    return new QueuedOrder(
        new OrderRecord(
            order.v(),
            order.requestId(),
            order.productId(),
            order.userId(),
            reservation.quantity(),
            order.idemKey(),
            epochs.get(order.productId()),
            reservation.outboxId(),
            order.resent()),
        queued.value(),
        queued.source());
  }

  private static boolean isOlder(OrderRecord order, Map<Long, Long> epochs) {
    Long epoch = epochs.get(order.productId());
    return epoch != null && order.epoch() < epoch;
  }
}
