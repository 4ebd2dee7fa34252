package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.script.RebuildCompareReply;
import io.seckill.book.script.RebuildScanReply;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Set;
import org.apache.camel.Body;
import org.apache.camel.Variable;

/** Finds how a book differs from MySQL's orders, in both directions, page by page. */
public final class RebuildDifferences {

  public List<ScriptCall> compares(@Variable("snapshot") OrderSnapshot snapshot) {
    return snapshot.compares();
  }

  public void compared(
      @Variable("rebuild") Rebuild rebuild, @Body List<RebuildCompareReply> replies) {
    replies.forEach(rebuild.comparison()::take);
  }

  public UnknownSearch searchUnknown(@Variable("rebuild") Rebuild rebuild) {
    return new UnknownSearch(
        rebuild.productId(), rebuild.before().map(Book::buyers).orElse(0L), rebuild.comparison());
  }

  public ScriptCall nextUnknown(@Variable("unknown") UnknownSearch search) {
    return search.next();
  }

  public Set<String> unknownIds(
      @Variable("unknown") UnknownSearch search, @Body RebuildScanReply reply) {
    search.take(reply);
    return search.getRequestIds();
  }

  public void unknown(@Variable("unknown") UnknownSearch search, @Body List<String> known) {
    search.known(Set.copyOf(known));
  }
}
