package io.seckill.recovery;

import io.seckill.book.script.OverdueReply;
import io.seckill.book.script.OverdueReply.Overdue;
import io.seckill.book.script.OverdueReply.Reservation;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Set;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Sends again reservations that are pending in a drained book and unknown to MySQL. */
public final class RebuildPending {

  public PendingSearch search(
      @Variable("productId") long productId, @Variable("drain") Drain drain) {
    return new PendingSearch(productId, drain.getClosed());
  }

  public ScriptCall next(@Variable("pending") PendingSearch search) {
    return search.next();
  }

  /** The request ids in a reply of {@code overdue.lua}. */
  public List<String> ids(@Body OverdueReply reply) {
    return reply instanceof Overdue overdue
        ? overdue.reservations().stream().map(Reservation::requestId).toList()
        : List.of();
  }

  public List<ScriptCall> resends(
      @Variable("pending") PendingSearch search,
      @Variable("requestIds") List<String> page,
      @Body List<String> known) {
    return search.resends(page, Set.copyOf(known));
  }
}
