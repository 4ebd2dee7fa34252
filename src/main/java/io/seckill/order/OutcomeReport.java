package io.seckill.order;

import io.seckill.book.script.ConfirmReply;
import io.seckill.book.script.ConfirmReply.Confirmed;
import io.seckill.book.script.ReleaseReply;
import io.seckill.book.script.ReleaseReply.Released;
import io.seckill.domain.Status;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.redis.ScriptCall;
import java.time.Clock;
import java.util.List;
import org.apache.camel.Body;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the outcomes of orders, and logs decisions of MySQL that a book cannot follow. */
public final class OutcomeReport {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeReport.class);

  private final SeckillMetrics metrics;
  private final Clock clock;

  public OutcomeReport(SeckillMetrics metrics, Clock clock) {
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * Orders were confirmed. Their latency counts only when this call moved all of them to SUCCESS.
   *
   * @param replies replies of {@code confirm}
   */
  public void confirmed(@Body List<ConfirmReply> replies, @Variable("outcomes") Outcomes outcomes) {
    List<ScriptCall> calls = outcomes.confirmations();
    long moved = 0;
    for (int i = 0; i < replies.size(); i++) {
      long product = calls.get(i).productId();
      if (replies.get(i) instanceof Confirmed reply) {
        moved += reply.moved();
        tellUnexpected(product, reply);
      } else {
        tellNoBook(product);
      }
    }
    metrics.ended(Status.SUCCESS.name(), moved);
    List<OrderRow> orders =
        outcomes.rows().stream().filter(row -> row.status() == Status.SUCCESS).toList();
    if (moved == orders.size()) {
      long now = clock.millis();
      orders.forEach(order -> metrics.confirmed(order.reservedAtMillis(), now));
    }
  }

  private static void tellUnexpected(long product, Confirmed reply) {
    if (reply.absent() > 0) {
      LOG.warn("Sale {}: {} orders have no reservation in the book", product, reply.absent());
    }
    if (reply.uncovered() > 0) {
      LOG.error("Sale {}: MySQL sold {} units the book does not have", product, reply.uncovered());
    }
  }

  private static void tellNoBook(long product) {
    LOG.warn("Sale {} has no book to record MySQL's decision", product);
  }

  /**
   * Units were returned.
   *
   * @param replies of {@code release}
   */
  public void released(@Body List<ReleaseReply> replies, @Variable("outcomes") Outcomes outcomes) {
    failed(outcomes.releases(), replies);
  }

  /**
   * Units were written off.
   *
   * @param replies of {@code release}
   */
  public void writtenOff(
      @Body List<ReleaseReply> replies, @Variable("outcomes") Outcomes outcomes) {
    metrics.writtenOff(failed(outcomes.writeOffs(), replies));
  }

  /** Counts reservations by their status, which is a call's first argument. */
  private long failed(List<ScriptCall> calls, List<ReleaseReply> replies) {
    long failed = 0;
    for (int i = 0; i < replies.size(); i++) {
      ScriptCall call = calls.get(i);
      if (replies.get(i) instanceof Released reply) {
        metrics.ended(call.arguments()[0], reply.released());
        failed += reply.released();
      } else {
        tellNoBook(call.productId());
      }
    }
    return failed;
  }

  /** Orders of minimal mode ended, without a book. */
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
}
