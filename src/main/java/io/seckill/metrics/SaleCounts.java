package io.seckill.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;

/**
 * Counts what became of requests to buy, by product, while somebody watches. Otherwise a request
 * costs the reading of one field. Thread-safe.
 */
public final class SaleCounts {
  /** A product is forgotten when nothing was counted for so many readings. */
  private static final int IDLE_READINGS = 30;

  private static final class OfSale {
    private final LongAdder admitted = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
    private Counted last;
    private int idle;
  }

  /**
   * Counts since counting began, or since the product was forgotten.
   *
   * @param refused by code
   */
  public record Counted(long admitted, long replayed, Map<String, Long> refused) {}

  private final Map<Long, OfSale> sales = new ConcurrentHashMap<>();
  private volatile boolean counting;

  void admitted(long productId) {
    if (counting) {
      of(productId).admitted.increment();
    }
  }

  void replayed(long productId) {
    if (counting) {
      of(productId).replayed.increment();
    }
  }

  void refused(String code, long productId) {
    if (counting) {
      of(productId).refused.computeIfAbsent(code, any -> new LongAdder()).increment();
    }
  }

  private OfSale of(long productId) {
    OfSale known = sales.get(productId);
    return known != null ? known : sales.computeIfAbsent(productId, any -> new OfSale());
  }

  /** Begins or ends counting. What was counted before is forgotten. */
  public void count(boolean on) {
    if (on != counting) {
      counting = on;
      sales.clear();
    }
  }

  /**
   * The counts by product. One thread at a time may ask, about once a second.
   *
   * @param known whether there is a sale of a product; others are forgotten
   */
  public Map<Long, Counted> read(LongPredicate known) {
    Map<Long, Counted> read = new TreeMap<>();
    sales.forEach(
        (productId, sale) -> {
          Counted now = of(sale);
          sale.idle = now.equals(sale.last) ? sale.idle + 1 : 0;
          sale.last = now;
          if (sale.idle > IDLE_READINGS || !known.test(productId)) {
            sales.remove(productId);
          } else {
            read.put(productId, now);
          }
        });
    return read;
  }

  private static Counted of(OfSale sale) {
    Map<String, Long> refused = new TreeMap<>();
    sale.refused.forEach((code, count) -> refused.put(code, count.sum()));
    return new Counted(sale.admitted.sum(), sale.replayed.sum(), refused);
  }
}
