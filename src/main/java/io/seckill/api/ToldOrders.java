package io.seckill.api;

import io.seckill.book.script.ConfirmReply;
import io.seckill.book.script.ConfirmReply.Confirmed;
import io.seckill.book.script.ReleaseReply;
import io.seckill.book.script.ReleaseReply.Released;
import io.seckill.domain.Status;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.order.Outcomes;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.SaleRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/**
 * Rows of MySQL that are about to be told to a buyer. The books get them first: between the commit
 * and the writer's confirmation a book says PENDING, and no other node may tell that afterwards.
 * Stateless.
 */
public final class ToldOrders {
  private final SaleRegistry sales;
  private final SeckillMetrics metrics;

  ToldOrders(SaleRegistry sales, SeckillMetrics metrics) {
    this.sales = sales;
    this.metrics = metrics;
  }

  /** The outcomes for the books of these rows; without the rows of sales that have none. */
  public Outcomes outcomes(@Body List<FoundOrder> rows) {
    return new Outcomes(
        rows.stream()
            .filter(row -> sales.mayHaveBook(row.productId()))
            .map(FoundOrder::asRow)
            .toList(),
        List.of());
  }

  /** Counts what only this call has confirmed. */
  public void confirmed(@Body List<ConfirmReply> replies) {
    for (ConfirmReply reply : replies) {
      if (reply instanceof Confirmed confirmed) {
        metrics.ended(Status.SUCCESS.name(), confirmed.moved());
      }
    }
  }

  /** The calls of {@code release}, whether units return or are written off. */
  public List<ScriptCall> failures(@Variable("told") Outcomes told) {
    return Stream.concat(told.releases().stream(), told.writeOffs().stream()).toList();
  }

  /** Counts what only this call has ended. */
  public void failed(@Variable("told") Outcomes told, @Body List<ReleaseReply> replies) {
    List<ScriptCall> calls = failures(told);
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i) instanceof Released released) {
        String status = calls.get(i).arguments()[0];
        metrics.ended(status, released.released());
        if (status.equals(Status.FAIL_SOLD_OUT.name())) {
          metrics.writtenOff(released.released());
        }
      }
    }
  }
}
