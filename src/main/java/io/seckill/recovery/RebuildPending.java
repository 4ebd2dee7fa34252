package io.seckill.recovery;

import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Map;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Has sent again what a drained book holds as pending and nobody else knows. */
public final class RebuildPending {

  public PendingSearch search(
      @Variable("productId") long productId, @Variable("drain") Drain drain) {
    return new PendingSearch(productId, drain.getClosed());
  }

  public ScriptCall next(@Variable("pending") PendingSearch search) {
    return search.next();
  }

  /** The request ids in a reply of {@code overdue.lua}. */
  public List<String> ids(@Body List<Object> reply) {
    return reply.subList(1, reply.size()).stream()
        .map(entry -> (String) ((List<?>) entry).get(0))
        .toList();
  }

  public List<ScriptCall> resends(
      @Variable("pending") PendingSearch search,
      @Variable("requestIds") List<String> page,
      @Body List<Map<String, Object>> known) {
    return search.resends(page, Known.ids(known));
  }
}
