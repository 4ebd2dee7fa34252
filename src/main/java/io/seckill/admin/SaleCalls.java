package io.seckill.admin;

import io.seckill.redis.ScriptCall;
import io.seckill.sale.Sale;
import io.seckill.sale.StoredSale;
import java.util.function.Supplier;

/** Makes the calls of the scripts that read a book or align it with its sale in MySQL. */
public final class SaleCalls {
  private final Supplier<String> run;

  /**
   * @param run tells the run id of the Redis that this node talks to
   */
  public SaleCalls(Supplier<String> run) {
    this.run = run;
  }

  /** The call of ledger.lua, and of any script without arguments. */
  public ScriptCall call(long productId) {
    return ScriptCall.of(productId);
  }

  /**
   * The call of preheat.lua that aligns a book with MySQL. It does not create the book of a sale
   * that had one, because a missing book was lost.
   */
  public ScriptCall preheat(StoredSale stored) {
    Sale sale = stored.sale();
    return ScriptCall.of(
        sale.productId(),
        Long.toString(sale.epoch()),
        Long.toString(sale.stock()),
        Integer.toString(sale.maxQuantity()),
        millis(sale.startsAt()),
        millis(sale.endsAt()),
        sale.state().name(),
        stored.hadBook() ? "existing" : "",
        run.get());
  }

  /** The call of sale-state.lua that gives a book the sale's state in MySQL. */
  public ScriptCall state(StoredSale stored) {
    Sale sale = stored.sale();
    return ScriptCall.of(sale.productId(), sale.state().name());
  }

  /** The call of restock.lua that gives a book all units that were added in MySQL. */
  public ScriptCall restocked(StoredSale stored) {
    Sale sale = stored.sale();
    return ScriptCall.of(sale.productId(), "1", Long.toString(sale.restocked()));
  }

  private static String millis(Long instant) {
    return instant == null ? "" : instant.toString();
  }
}
