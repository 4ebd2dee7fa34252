package io.seckill.recovery;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.seckill.book.Book;
import io.seckill.recovery.BookWatch.Watched;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Gauges of {@link BookWatch} and {@link LedgerWatch}. Only the busiest sales have their own
 * gauges, so that the number of gauges is bounded.
 */
public final class WatchMetrics {
  private final BookWatch books;
  private final int maxSales;
  private final MultiGauge outboxLength;
  private final MultiGauge outboxAge;
  private final MultiGauge available;
  private final AtomicLong lag = new AtomicLong();

  /**
   * Registers the gauges.
   *
   * @param maxSales largest number of sales with their own gauges
   */
  public WatchMetrics(MeterRegistry registry, BookWatch books, LedgerWatch ledgers, int maxSales) {
    this.books = books;
    this.maxSales = maxSales;
    gauge(registry, "seckill.outbox.entries", "Outbox entries of all sales", books::outboxLength);
    Gauge.builder("seckill.outbox.age", books, watch -> watch.oldestOutboxMillis() / 1000.0)
        .description("Age of the oldest outbox entry of all sales")
        .baseUnit("seconds")
        .register(registry);
    gauge(registry, "seckill.pending.units", "Units reserved and not decided", books::pendingUnits);
    gauge(registry, "seckill.sales.watched", "Sales not settled", () -> books.watched().size());
    gauge(registry, "seckill.books.lost", "Sales whose book is gone or outdated", books::lostBooks);
    gauge(
        registry,
        "seckill.admission.closed",
        "Sales whose book this node does not trust for admissions",
        books::closedSales);
    gauge(
        registry,
        "seckill.ledger.imbalance.units",
        "Units by which books and orders do not balance",
        ledgers::imbalance);
    gauge(
        registry,
        "seckill.ledger.unbalanced.sales",
        "Sales whose ledger does not balance",
        ledgers::unbalancedSales);
    gauge(registry, "seckill.orders.lag", "Orders Kafka holds and MySQL does not", lag::get);
    outboxLength =
        MultiGauge.builder("seckill.sale.outbox.entries")
            .description("Outbox entries of a sale that wait for Kafka, the busiest sales only")
            .register(registry);
    outboxAge =
        MultiGauge.builder("seckill.sale.outbox.age")
            .description("Age of a sale's oldest outbox entry, the busiest sales only")
            .baseUnit("seconds")
            .register(registry);
    available =
        MultiGauge.builder("seckill.sale.available.units")
            .description("Units of a sale that can be reserved, the busiest sales only")
            .register(registry);
  }

  private static void gauge(
      MeterRegistry registry, String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  /** Shows a circuit breaker's state: 0 closed, 1 half open, 2 open. */
  public static void show(MeterRegistry registry, CircuitBreakerRegistry breakers) {
    breakers
        .getAllCircuitBreakers()
        .forEach(
            breaker ->
                Gauge.builder("seckill.breaker.state", breaker, WatchMetrics::state)
                    .description("Circuit breaker: 0 closed, 1 half open, 2 open")
                    .tag("breaker", breaker.getName())
                    .register(registry));
  }

  private static double state(CircuitBreaker breaker) {
    return switch (breaker.getState()) {
      case OPEN, FORCED_OPEN -> 2;
      case HALF_OPEN -> 1;
      case CLOSED, DISABLED, METRICS_ONLY -> 0;
    };
  }

  /** Takes the number of orders that Kafka has and MySQL does not. */
  public void lag(long orders) {
    lag.set(orders);
  }

  /** The number of orders that Kafka has and MySQL does not, as last counted. */
  public long lag() {
    return lag.get();
  }

  /** Updates the gauges of single sales. */
  public void refresh() {
    List<Watched> busiest =
        books.watched().stream()
            .filter(each -> each.book().isPresent())
            .sorted(
                Comparator.comparingLong((Watched each) -> each.book().get().outboxLength())
                    .thenComparingLong(each -> each.book().get().moves())
                    .reversed())
            .limit(maxSales)
            .toList();
    outboxLength.register(rows(busiest, Book::outboxLength), true);
    outboxAge.register(rows(busiest, book -> book.outboxAgeMillis() / 1000.0), true);
    available.register(rows(busiest, Book::available), true);
  }

  private static List<MultiGauge.Row<?>> rows(List<Watched> sales, Function<Book, Number> value) {
    return sales.stream()
        .<MultiGauge.Row<?>>map(
            each ->
                MultiGauge.Row.of(
                    Tags.of("product", Long.toString(each.sale().productId())),
                    value.apply(each.book().get())))
        .toList();
  }
}
