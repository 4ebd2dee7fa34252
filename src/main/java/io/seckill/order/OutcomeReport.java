package io.seckill.order;

import io.seckill.domain.Status;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.redis.ScriptCall;
import java.time.Clock;
import java.util.List;
import org.apache.camel.Body;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what the books made of MySQL's decisions, and tells where a book does not know of one. */
public final class OutcomeReport {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeReport.class);
  private static final long DONE = 1;

  private final SeckillMetrics metrics;
  private final Clock clock;

  public OutcomeReport(SeckillMetrics metrics, Clock clock) {
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * Orders were confirmed. Their latency counts when all of them became SUCCESS just now.
   *
   * @param replies of {@code confirm}
   */
  public void confirmed(@Body List<List<Object>> replies, @Variable("outcomes") Outcomes outcomes) {
    long moved = changed(replies, outcomes.confirmations());
    metrics.ended(Status.SUCCESS.name(), moved);
    List<OrderRow> orders =
        outcomes.rows().stream().filter(row -> row.status() == Status.SUCCESS).toList();
    if (moved == orders.size()) {
      long now = clock.millis();
      orders.forEach(order -> metrics.confirmed(order.reservedAtMillis(), now));
    }
    for (int i = 0; i < replies.size(); i++) {
      List<Object> reply = replies.get(i);
      long product = outcomes.confirmations().get(i).productId();
      if (isDone(reply) && (Long) reply.get(3) > 0) {
        LOG.warn("Sale {}: {} orders have no reservation in the book", product, reply.get(3));
      }
      if (isDone(reply) && (Long) reply.get(4) > 0) {
        LOG.error("Sale {}: MySQL sold {} units the book does not have", product, reply.get(4));
      }
    }
  }

  /**
   * Units were returned.
   *
   * @param replies of {@code release}
   */
  public void released(@Body List<List<Object>> replies, @Variable("outcomes") Outcomes outcomes) {
    failed(replies, outcomes.releases());
  }

  /**
   * Reservations were written off.
   *
   * @param replies of {@code write-off}
   */
  public void writtenOff(
      @Body List<List<Object>> replies, @Variable("outcomes") Outcomes outcomes) {
    metrics.writtenOff(failed(replies, outcomes.writeOffs()));
  }

  /** Orders ended without a book that follows: those of minimal mode. */
  public void decided(@Body List<OrderRow> ended) {
    long now = clock.millis();
    for (OrderRow row : ended) {
      metrics.ended(row.status().name(), 1);
      if (row.status() == Status.SUCCESS) {
        metrics.confirmed(row.reservedAtMillis(), now);
      }
    }
  }

  /** A dead letter was compensated. */
  public void compensated(@Variable("outcomes") Outcomes outcomes) {
    for (OrderRow row : outcomes.rows()) {
      boolean confirmed = row.status() == Status.SUCCESS;
      metrics.compensated(confirmed ? "CONFIRMED" : "RELEASED");
      metrics.deadLetterClosed(confirmed ? "CONFIRMED" : "COMPENSATED");
    }
  }

  private long failed(List<List<Object>> replies, List<ScriptCall> calls) {
    for (int i = 0; i < replies.size(); i++) {
      if (isDone(replies.get(i))) {
        metrics.ended(calls.get(i).arguments()[0], (Long) replies.get(i).get(1));
      }
    }
    return changed(replies, calls);
  }

  private static long changed(List<List<Object>> replies, List<ScriptCall> calls) {
    long changed = 0;
    for (int i = 0; i < replies.size(); i++) {
      if (isDone(replies.get(i))) {
        changed += (Long) replies.get(i).get(1);
      } else {
        LOG.warn("Sale {} has no book to follow what MySQL decided", calls.get(i).productId());
      }
    }
    return changed;
  }

  private static boolean isDone(List<Object> reply) {
    return (Long) reply.get(0) == DONE;
  }
}
