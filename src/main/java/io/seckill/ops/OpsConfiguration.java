package io.seckill.ops;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seckill.book.AdmissionGuard;
import io.seckill.health.KafkaProbe;
import io.seckill.health.ProbeHealthCheck;
import io.seckill.health.Probes;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.minimal.OrderQueue;
import io.seckill.order.OutcomeReport;
import io.seckill.order.WriteFailures;
import io.seckill.recovery.BookWatch;
import io.seckill.recovery.LedgerWatch;
import io.seckill.recovery.WatchMetrics;
import io.seckill.sale.SaleClock;
import io.seckill.sale.SaleRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.PropertyInject;
import org.apache.camel.component.micrometer.MicrometerConstants;
import org.apache.camel.component.micrometer.eventnotifier.MicrometerRouteEventNotifier;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.spi.EventNotifier;
import org.apache.camel.spi.Registry;
import org.apache.kafka.clients.admin.Admin;

/** Makes the beans for metrics and health. */
public class OpsConfiguration implements CamelConfiguration {
  /** After this many intervals without a result a server counts as hanging. */
  private static final int STALE_INTERVALS = 5;

  /** The reading for batches that MySQL does not accept. */
  private static final String WRITES = "writes";

  /** A batch counts as written when it was not retried for this many times its delay. */
  private static final long RETRIES_UNTIL_OVER = 3;

  private SeckillMetrics metrics;
  private volatile Probes probes;

  @PropertyInject("seckill.mode")
  private String mode;

  @PropertyInject("seckill.health.interval")
  private long healthInterval;

  @PropertyInject("seckill.writer.retry-delay")
  private long writerRetryDelay;

  @PropertyInject("seckill.health.outbox-age")
  private long outboxAgeLimit;

  @PropertyInject("seckill.outbox.max-length")
  private long outboxMaxLength;

  @PropertyInject("seckill.hawtio.operate")
  private boolean operate;

  @PropertyInject("seckill.watch.max-sales")
  private int maxSales;

  @BindToRegistry
  public synchronized SeckillMetrics seckillMetrics(CamelContext context) {
    if (metrics == null) {
      metrics = new SeckillMetrics(meters(context.getRegistry()));
    }
    return metrics;
  }

  @BindToRegistry
  public OutcomeReport outcomeReport(CamelContext context, @BeanInject("clock") Clock clock) {
    return new OutcomeReport(seckillMetrics(context), clock);
  }

  /** Counts a retried batch, and reports the reason when retrying alone does not help. */
  @BindToRegistry
  public Processor countRetry(CamelContext context) {
    SeckillMetrics counters = seckillMetrics(context);
    return exchange -> {
      counters.batchRetried();
      WriteFailures.toMend(exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Exception.class))
          .ifPresent(reason -> probes.down(WRITES, "orders wait: " + reason));
    };
  }

  /**
   * Combines the probe with what the writers report, because a small probe may succeed where a
   * batch of orders fails.
   */
  private Probes.Reading mysql() {
    return probes
        .down(WRITES, Duration.ofMillis(RETRIES_UNTIL_OVER * writerRetryDelay))
        .orElseGet(() -> probes.of("mysql"));
  }

  /**
   * The registry that {@code /observe/metrics} shows. Camel Main has made it by now, unless metrics
   * are off.
   */
  private static MeterRegistry meters(Registry registry) {
    MeterRegistry camels =
        registry.lookupByNameAndType(
            MicrometerConstants.METRICS_REGISTRY_NAME, MeterRegistry.class);
    if (camels != null) {
      return camels;
    }
    MeterRegistry ours = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.bind(MicrometerConstants.METRICS_REGISTRY_NAME, ours);
    return ours;
  }

  /** Binds the health checks and metrics after the beans of all other packages. */
  @Override
  public void configure(CamelContext context) throws Exception {
    Registry registry = context.getRegistry();
    if (operate) {
      context.addService(new LogLevels());
    }
    MeterRegistry meters = meters(registry);
    context.addRoutePolicyFactory(new RouteTimes(meters));
    context.getManagementStrategy().getEventNotifiers().forEach(OpsConfiguration::leaveExchanges);
    probes =
        new Probes(
            Duration.ofMillis(Math.max(5_000, STALE_INTERVALS * healthInterval)), System::nanoTime);
    SaleClock clock = registry.lookupByNameAndType("saleClock", SaleClock.class);
    Gauge.builder("seckill.clock.offset", clock, SaleClock::offsetSeconds)
        .description(
            "Seconds that this node's clock is ahead of the clock that decides the windows of sales")
        .baseUnit("seconds")
        .register(meters);
    if (mode.equals("minimal")) {
      registry.bind("probes", probes);
      showQueue(meters, registry.lookupByNameAndType("orderQueue", OrderQueue.class));
      bindCheck(context, "mysql", true, this::mysql);
      return;
    }
    AdmissionGuard guard = registry.lookupByNameAndType("admissionGuard", AdmissionGuard.class);
    BookWatch books =
        new BookWatch(
            registry.lookupByNameAndType("saleRegistry", SaleRegistry.class),
            probes,
            guard::isExamined,
            guard::admits,
            Duration.ofMillis(outboxAgeLimit),
            outboxMaxLength);
    LedgerWatch ledgers = new LedgerWatch(books);
    registry.bind("probes", probes);
    registry.bind("bookWatch", books);
    registry.bind("ledgerWatch", ledgers);
    registry.bind("watchMetrics", new WatchMetrics(meters, books, ledgers, maxSales));
    registry.bind(
        "kafkaProbe",
        new KafkaProbe(
            registry.lookupByNameAndType("kafkaAdmin", Admin.class), Duration.ofSeconds(2)));
    WatchMetrics.show(
        meters, registry.lookupByNameAndType("redisBreakers", CircuitBreakerRegistry.class));
    // without these servers no orders are taken
    bindCheck(context, "redis", true, () -> probes.of("redis"));
    bindCheck(context, "admission", true, books::admission);
    // without these servers orders are taken, and the rest catches up by itself
    bindCheck(context, "mysql", false, this::mysql);
    for (String id : List.of("kafka", "outbox", "books", "redis-events")) {
      bindCheck(context, id, false, () -> probes.of(id));
    }
  }

  /**
   * Turns off events of exchanges, because Camel's counter of routes needs only events of routes.
   */
  private static void leaveExchanges(EventNotifier notifier) {
    if (notifier instanceof MicrometerRouteEventNotifier routes) {
      routes.setIgnoreExchangeEvents(true);
    }
  }

  private static void showQueue(MeterRegistry meters, OrderQueue queue) {
    Gauge.builder("seckill.queue.orders", queue, OrderQueue::size)
        .description("Orders that wait in this node's memory for MySQL")
        .register(meters);
  }

  private static void bindCheck(
      CamelContext context, String id, boolean readiness, Supplier<Probes.Reading> reading) {
    ProbeHealthCheck check = new ProbeHealthCheck(id, readiness, reading);
    check.setCamelContext(context);
    HealthCheckRegistry.get(context).register(check);
  }
}
