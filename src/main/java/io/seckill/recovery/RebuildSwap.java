package io.seckill.recovery;

import io.seckill.answer.Refusal;
import io.seckill.book.script.RebuildSwapReply;
import io.seckill.book.script.RebuildSwapReply.Open;
import io.seckill.book.script.RebuildSwapReply.Oversold;
import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.function.Supplier;
import org.apache.camel.Body;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replaces the old book with the new one. */
public final class RebuildSwap {
  private static final Logger LOG = LoggerFactory.getLogger(RebuildSwap.class);

  private final Supplier<String> run;

  /**
   * @param run tells the run id of the Redis that this node talks to
   */
  public RebuildSwap(Supplier<String> run) {
    this.run = run;
  }

  /**
   * The call of {@code rebuild-swap}, within the transaction that holds the sale's row.
   *
   * @throws Refusal 409 REBUILDING when another rebuild has raised the epoch, 503 DEGRADED when the
   *     lock was lost
   */
  public ScriptCall call(
      @Variable("rebuild") Rebuild rebuild,
      @Variable("snapshot") OrderSnapshot snapshot,
      @Variable("sale") StoredSale stored,
      @Variable("lock") RebuildLock lock) {
    Sale sale = stored.sale();
    if (sale.epoch() != snapshot.getEpoch()) {
      throw RebuildStaging.overtaken(sale.productId());
    }
    lock.requireHeld();
    return snapshot.swap(sale, rebuild.remainder(stored), run.get());
  }

  /**
   * Checks the reply of {@code rebuild-swap.lua}.
   *
   * @throws Refusal 409 OVERSOLD when more units are sold than exist, 409 REBUILDING when another
   *     rebuild has overtaken this one
   */
  public void requireOpen(
      @Variable("rebuild") Rebuild rebuild,
      @Variable("sale") StoredSale stored,
      @Body RebuildSwapReply reply) {
    if (reply instanceof Open) {
      rebuild.opened(stored.sale(), rebuild.remainder(stored));
    } else if (reply instanceof Oversold) {
      throw oversold(rebuild);
    } else {
      throw RebuildStaging.overtaken(rebuild.productId());
    }
  }

  private static Refusal oversold(Rebuild rebuild) {
    Units units = rebuild.snapshot().units();
    LOG.error(
        "Sale {}: MySQL holds orders of {} units, {} written off, more than the sale has: it stays"
            + " closed",
        rebuild.productId(),
        units.sold(),
        units.writtenOff());
    return Refusal.of(
            409,
            "OVERSOLD",
            "More units are sold than the sale has (I3), so it stays closed. Restock it, then rebuild again.")
        .with("productId", rebuild.productId())
        .with("sold", units.sold())
        .with("writtenOff", units.writtenOff());
  }
}
