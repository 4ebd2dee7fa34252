package io.seckill.recovery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.book.RecentAdmissions;
import io.seckill.book.script.LookupReply;
import io.seckill.redis.ScriptCall;
import java.util.List;
import java.util.Set;
import org.apache.camel.Body;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds and names reservations that this node admitted to a sale and that its rebuild lost. */
public final class LostReservations {
  private static final Logger LOG = LoggerFactory.getLogger(LostReservations.class);

  private final RecentAdmissions admissions;
  private final Counter lost;

  public LostReservations(RecentAdmissions admissions, MeterRegistry meters) {
    this.admissions = admissions;
    this.lost =
        Counter.builder("seckill.reservations.lost")
            .description("Reservations of this node that Redis lost before Kafka knew them")
            .register(meters);
  }

  public LostSearch search(@Variable("productId") long productId) {
    return new LostSearch(admissions.of(productId));
  }

  public List<ScriptCall> next(@Variable("lost") LostSearch search) {
    return search.next();
  }

  /**
   * The reservations of a page that are not in the book.
   *
   * @throws IllegalStateException when the book is closed again
   */
  public List<String> notInBook(
      @Variable("productId") long productId,
      @Variable("lost") LostSearch search,
      @Body List<LookupReply> replies) {
    if (!search.takeFromBook(replies)) {
      throw new IllegalStateException("Sale " + productId + " has no open book to look into");
    }
    return search.getNotInBook();
  }

  public void take(@Variable("lost") LostSearch search, @Body List<String> known) {
    search.takeKnown(Set.copyOf(known));
  }

  /** Logs and counts the lost reservations. */
  public void tell(@Variable("productId") long productId, @Variable("lost") LostSearch search) {
    List<String> lost = search.getLost();
    if (!lost.isEmpty()) {
      this.lost.increment(lost.size());
      LOG.warn(
          "Sale {}: this node admitted {} reservations that neither Kafka nor MySQL knows: {}",
          productId,
          lost.size(),
          lost);
    }
  }
}
