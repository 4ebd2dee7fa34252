package io.seckill.order;

import io.seckill.book.script.OverdueReply;
import io.seckill.book.script.OverdueReply.Overdue;
import io.seckill.book.script.OverdueReply.Reservation;
import io.seckill.domain.DeadLetter;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.Progress;
import io.seckill.domain.QueuedOrder;
import io.seckill.redis.ScriptCall;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/**
 * Finds lost reservations. A reservation that has been PENDING for long and has left the outbox was
 * sent to Kafka. It is lost only if it is still PENDING, and not in the outbox, after the writers
 * have committed everything that Kafka held when it was first seen, and the dead letters of that
 * time are handled.
 *
 * <p>It works in rounds. A round notes the overdue reservations together with the ends of the
 * topics. Once the consumers have passed these ends, it returns those that are still overdue under
 * the same outbox id. Times decide only which reservations to look at, so a wrong clock does no
 * harm. Several nodes may sweep at once, because MySQL's unique key and the scripts guard every
 * step that follows.
 */
public final class Sweeper {
  /** The source of a dead letter that the sweeper makes. */
  static final String SOURCE = "sweeper";

  /** Reservations of one sale to look at in a round. */
  private static final int LOOKED_AT = 500;

  private final OrderJson json;
  private final Clock clock;
  private final Duration pendingLimit;
  private final int maxResends;
  private final Progress orders;
  private final Progress deadLetters;
  private final Map<Long, Integer> offsets = new HashMap<>();
  private Round round;

  /**
   * @param pendingLimit how long a reservation may be PENDING before the sweeper looks at it
   * @param maxResends how many times to send a lost record again before giving up its order
   * @param orders the progress of the writers
   * @param deadLetters the progress of the consumers of dead letters
   */
  public Sweeper(
      OrderJson json,
      Clock clock,
      Duration pendingLimit,
      int maxResends,
      Progress orders,
      Progress deadLetters) {
    this.json = json;
    this.clock = clock;
    this.pendingLimit = pendingLimit;
    this.maxResends = maxResends;
    this.orders = orders;
    this.deadLetters = deadLetters;
  }

  private static final class Round {
    private final Set<String> noted;
    private final Progress.Mark orders;
    private Progress.Mark deadLetters;

    private Round(Set<String> noted, Progress.Mark orders) {
      this.noted = noted;
      this.orders = orders;
    }
  }

  /**
   * Calls of {@code overdue}, one for each sale.
   *
   * @param sales rows of {@code sql/find-open-sales.sql}
   */
  public synchronized List<ScriptCall> calls(@Body List<ProductEpoch> sales) {
    offsets.keySet().retainAll(sales.stream().map(ProductEpoch::id).toList());
    String before = Long.toString(clock.millis() - pendingLimit.toMillis());
    List<ScriptCall> calls = new ArrayList<>(sales.size());
    for (ProductEpoch sale : sales) {
      long productId = sale.id();
      calls.add(
          ScriptCall.of(
              productId,
              before,
              Integer.toString(LOOKED_AT),
              Integer.toString(offsets.getOrDefault(productId, 0))));
    }
    return calls;
  }

  /**
   * The reservations that are now known to be lost.
   *
   * @param replies of {@code overdue}, in the order of the sales
   * @throws RuntimeException when Kafka does not tell the consumers' progress; the round goes on
   *     later
   */
  public synchronized OrderBatch lost(
      @Body List<OverdueReply> replies, @Variable("sales") List<ProductEpoch> sales) {
    Map<String, QueuedOrder> overdue = overdue(replies, sales);
    startOver(replies, sales);
    if (round == null) {
      if (!overdue.isEmpty()) {
        round = new Round(new HashSet<>(overdue.keySet()), orders.mark());
      }
      return OrderBatch.of(List.of());
    }
    if (round.deadLetters == null) {
      if (!round.orders.isPassed()) {
        return OrderBatch.of(List.of());
      }
      round.deadLetters = deadLetters.mark();
    }
    if (!round.deadLetters.isPassed()) {
      return OrderBatch.of(List.of());
    }
    overdue.keySet().retainAll(round.noted);
    round = null;
    lookFurther(replies, sales);
    return OrderBatch.of(overdue.values());
  }

  /** Begins again at the oldest reservations after a look without a result. */
  private void startOver(List<OverdueReply> replies, List<ProductEpoch> sales) {
    for (int i = 0; i < replies.size(); i++) {
      if (!foundAny(replies.get(i))) {
        offsets.remove(sales.get(i).id());
      }
    }
  }

  /** Moves the look past reservations that must wait, such as parked ones. */
  private void lookFurther(List<OverdueReply> replies, List<ProductEpoch> sales) {
    for (int i = 0; i < replies.size(); i++) {
      if (foundAny(replies.get(i))) {
        offsets.merge(sales.get(i).id(), LOOKED_AT, Integer::sum);
      }
    }
  }

  private static boolean foundAny(OverdueReply reply) {
    return reply instanceof Overdue overdue && !overdue.reservations().isEmpty();
  }

  private Map<String, QueuedOrder> overdue(List<OverdueReply> replies, List<ProductEpoch> sales) {
    Map<String, QueuedOrder> overdue = new HashMap<>();
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i) instanceof Overdue reply) {
        long productId = sales.get(i).id();
        long epoch = sales.get(i).epoch();
        for (Reservation reservation : reply.reservations()) {
          OrderRecord order = order(productId, epoch, reservation);
          overdue.put(
              order.requestId() + "@" + order.outboxId(),
              new QueuedOrder(order, json.write(order), SOURCE));
        }
      }
    }
    return overdue;
  }

  private static OrderRecord order(long productId, long epoch, Reservation reservation) {
    return new OrderRecord(
        OrderRecord.VERSION,
        reservation.requestId(),
        productId,
        reservation.userId(),
        reservation.quantity(),
        reservation.key(),
        epoch,
        reservation.outboxId(),
        reservation.resent());
  }

  /**
   * Decides what to do with lost reservations without a row in MySQL: send them again, or give them
   * up after the last attempt. Ignores reservations with a parked dead letter.
   *
   * @param parked rows of {@code sql/find-parked-requests.sql}
   */
  public Verdict judge(@Body List<String> parked, @Variable("outcomes") Outcomes outcomes) {
    Set<String> waiting = new HashSet<>(parked);
    List<ScriptCall> resends = new ArrayList<>();
    List<DeadLetter> givenUp = new ArrayList<>();
    for (QueuedOrder queued : outcomes.missing()) {
      OrderRecord order = queued.order();
      if (waiting.contains(order.requestId())) {
        continue;
      }
      if (order.resent() < maxResends) {
        resends.add(ScriptCall.of(order.productId(), order.requestId()));
      } else {
        String cause = "its record was lost after being sent " + (order.resent() + 1) + " times";
        givenUp.add(
            new DeadLetter(order.requestId(), queued.value(), SOURCE, cause, order.resent() + 1));
      }
    }
    return new Verdict(resends, givenUp);
  }

  /**
   * @param resends calls of {@code resend}
   * @param givenUp dead letters of orders that were sent too often
   */
  public record Verdict(List<ScriptCall> resends, List<DeadLetter> givenUp) {}
}
