package io.seckill.recovery;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.book.AdmissionGuard;
import io.seckill.book.BookVerifier;
import io.seckill.book.BookVerifier.Verdict;
import io.seckill.book.RecentAdmissions;
import io.seckill.domain.Progress;
import io.seckill.kafka.Backlog;
import io.seckill.kafka.Barrier;
import io.seckill.kafka.ConsumerProgress;
import io.seckill.sale.SaleRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelContext;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.camel.health.HealthCheckRegistry;

/** Makes the beans for rebuild, verification and reconciliation. */
@Configuration
public class RecoveryConfiguration {
  private static final String RELAY = "outbox-relay";

  @PropertyInject("seckill.orders.topic")
  private String ordersTopic;

  @PropertyInject("seckill.writer.group")
  private String writers;

  @PropertyInject("seckill.dead-letters.topic")
  private String deadLettersTopic;

  @PropertyInject("seckill.dead-letters.group")
  private String deadLettersGroup;

  @PropertyInject("seckill.kafka.send-timeout")
  private long sendTimeout;

  @PropertyInject("seckill.rebuild.drain-timeout")
  private long drainTimeoutMs;

  /** Bound before anything connects to Redis, because without a verifier every book is trusted. */
  @BindToRegistry(destroyMethod = "close")
  public BookVerifier bookVerification(CamelContext context) {
    return new BookVerification(
        context,
        () -> context.getRegistry().lookupByNameAndType("kafkaBacklog", Backlog.class),
        ordersTopic,
        writers,
        RELAY,
        Duration.ofMillis(sendTimeout));
  }

  @BindToRegistry(lazy = true)
  public BookJudge bookJudge(
      @BeanInject("dataSource") DataSource dataSource,
      @BeanInject("admissionGuard") AdmissionGuard guard) {
    return new BookJudge(dataSource, guard::runId);
  }

  @BindToRegistry
  public MissedEnds missedEnds() {
    return new MissedEnds();
  }

  @BindToRegistry
  public SettledBooks settledBooks() {
    return new SettledBooks();
  }

  @BindToRegistry
  public RebuildRequests rebuildRequests(@PropertyInject("seckill.strategy") String strategy) {
    return new RebuildRequests(strategy.equals("B"));
  }

  @BindToRegistry
  public RebuildReport rebuildReport() {
    return new RebuildReport();
  }

  @BindToRegistry
  public RebuildPending rebuildPending() {
    return new RebuildPending();
  }

  @BindToRegistry
  public RebuildSnapshots rebuildSnapshots() {
    return new RebuildSnapshots();
  }

  @BindToRegistry
  public RebuildDifferences rebuildDifferences() {
    return new RebuildDifferences();
  }

  @BindToRegistry
  public RebuildStaging rebuildStaging() {
    return new RebuildStaging();
  }

  @BindToRegistry(lazy = true)
  public RebuildSwap rebuildSwap(@BeanInject("admissionGuard") AdmissionGuard guard) {
    return new RebuildSwap(guard::runId);
  }

  @BindToRegistry(lazy = true)
  public RebuildLocks rebuildLocks(@BeanInject("dataSource") DataSource dataSource) {
    return new RebuildLocks(dataSource);
  }

  @BindToRegistry(lazy = true)
  public LostReservations lostReservations(
      @BeanInject("recentAdmissions") RecentAdmissions admissions,
      @BeanInject("metricsRegistry") MeterRegistry meters) {
    return new LostReservations(admissions, meters);
  }

  @BindToRegistry(lazy = true)
  public RaisedEpochs raisedEpochs(
      @BeanInject("saleRegistry") SaleRegistry sales,
      @BeanInject("recentAdmissions") RecentAdmissions admissions) {
    return new RaisedEpochs(sales, admissions);
  }

  @BindToRegistry(lazy = true)
  public Drains drains(
      CamelContext context, @BeanInject("consumerProgress") ConsumerProgress progress) {
    return new Drains(
        progress,
        new Drains.Stream(ordersTopic, writers),
        new Drains.Stream(deadLettersTopic, deadLettersGroup),
        () -> context.getInflightRepository().size(RELAY),
        Duration.ofMillis(drainTimeoutMs));
  }

  @BindToRegistry(lazy = true)
  public Reconciliation reconciliation(
      CamelContext context,
      @BeanInject("bookWatch") BookWatch books,
      @BeanInject("ledgerWatch") LedgerWatch ledgers,
      @BeanInject("admissionGuard") AdmissionGuard guard,
      @BeanInject("bookJudge") BookJudge judge,
      @BeanInject("consumerProgress") ConsumerProgress progress,
      @BeanInject("metricsRegistry") MeterRegistry meters) {
    Progress orders =
        () -> {
          Barrier barrier = progress.barrier(ordersTopic, writers);
          return () -> progress.passed(barrier);
        };
    Reconciliation reconciliation = new Reconciliation(books, ledgers, guard, judge, orders);
    Gauge.builder("seckill.reconciliation.findings", reconciliation, it -> it.findings().size())
        .description("Sales whose book and orders differ in two looks")
        .register(meters);
    Gauge.builder(
            "seckill.rebuild.required",
            guard,
            it -> it.verdicts().values().stream().filter(Verdict::lost).count())
        .description("Sales that this node admits nobody to until they are rebuilt")
        .register(meters);
    RecoveryHealthCheck check = new RecoveryHealthCheck(guard, reconciliation);
    check.setCamelContext(context);
    HealthCheckRegistry.get(context).register(check);
    return reconciliation;
  }
}
