package io.seckill.recovery;

import io.seckill.book.script.RetireBookReply;
import io.seckill.book.script.RetireBookReply.Gone;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.StoredSale;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes out the books of settled sales that came back with an older Redis. ENDED is final whatever
 * Redis says; results come from MySQL.
 */
public final class SettledBooks {
  private static final Logger LOG = LoggerFactory.getLogger(SettledBooks.class);

  /** Calls that go to Redis at once. */
  private static final int AT_ONCE = 1_000;

  /** Whether the sale is settled. */
  public boolean isSettled(StoredSale stored) {
    return stored != null && stored.settled();
  }

  /** The call of {@code retire-book} for one settled sale. */
  public List<ScriptCall> call(StoredSale stored) {
    return List.of(callFor(stored.sale().productId(), stored.epoch()));
  }

  /** The calls of {@code retire-book} for the settled sales, so many at a time. */
  public List<List<ScriptCall>> calls(List<JudgedSale> sales) {
    List<ScriptCall> calls =
        sales.stream()
            .filter(JudgedSale::settled)
            .map(sale -> callFor(sale.productId(), sale.epoch()))
            .toList();
    List<List<ScriptCall>> parts = new ArrayList<>();
    for (int from = 0; from < calls.size(); from += AT_ONCE) {
      parts.add(calls.subList(from, Math.min(calls.size(), from + AT_ONCE)));
    }
    return parts;
  }

  private static ScriptCall callFor(long productId, long epoch) {
    return ScriptCall.of(productId, Long.toString(epoch), "other");
  }

  /** The sales that are not settled. */
  public List<JudgedSale> others(List<JudgedSale> sales) {
    return sales.stream().filter(sale -> !sale.settled()).toList();
  }

  /** Tells which books were taken out. */
  public void tell(List<ScriptCall> calls, List<RetireBookReply> replies) {
    for (int i = 0; i < calls.size(); i++) {
      if (replies.get(i) instanceof Gone gone) {
        LOG.warn(
            "Sale {} is settled, and Redis came back with a book of before: taken out, with {}"
                + " entries",
            calls.get(i).productId(),
            gone.entries());
      }
    }
  }
}
