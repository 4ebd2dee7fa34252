package io.seckill.order;

import io.seckill.kafka.Barrier;
import io.seckill.kafka.ConsumerProgress;
import java.time.Clock;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.camel.component.sql.SqlPrepareStatementStrategy;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.TransactedPolicy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Beans of the way from Kafka to MySQL. The schema is up to date before anybody gets a connection.
 */
@Configuration
public class OrderConfiguration {
  private final OrderJson json = new OrderJson();

  @BindToRegistry(destroyMethod = "close")
  public DataSource dataSource(
      @PropertyInject("seckill.mysql.url") String url,
      @PropertyInject("seckill.mysql.user") String user,
      @PropertyInject("seckill.mysql.password") String password,
      @PropertyInject("seckill.mysql.pool-size") int poolSize,
      @PropertyInject("seckill.start-timeout") long startTimeoutMs) {
    return new OrderDatabase(url, user, password, poolSize, Duration.ofMillis(startTimeoutMs))
        .open();
  }

  @BindToRegistry(lazy = true)
  public PlatformTransactionManager transactionManager(
      @BeanInject("dataSource") DataSource dataSource) {
    return new JdbcTransactionManager(dataSource);
  }

  @BindToRegistry(lazy = true)
  public TransactedPolicy required(
      @BeanInject("transactionManager") PlatformTransactionManager transactionManager) {
    return new RepeatableTransaction(transactionManager);
  }

  @BindToRegistry
  public RoutePolicy requestIdInLogs() {
    return new RequestIdInLogs();
  }

  @BindToRegistry
  public RecentAdmissions recentAdmissions(
      @PropertyInject("seckill.rebuild.recent-admissions") int capacity) {
    return new RecentAdmissions(capacity);
  }

  @BindToRegistry
  public OrderJson orderJson() {
    return json;
  }

  @BindToRegistry
  public OrderWriter orderWriter(@BeanInject("clock") Clock clock) {
    return new OrderWriter(json, clock);
  }

  @BindToRegistry
  public WriteFailures writeFailures(
      @BeanInject("clock") Clock clock, @PropertyInject("seckill.writer.hold") long holdMs) {
    return new WriteFailures(clock, Duration.ofMillis(holdMs));
  }

  /** Holds something in minimal mode only. */
  @BindToRegistry
  public OrderQueue orderQueue(
      @BeanInject("clock") Clock clock,
      @PropertyInject("seckill.minimal.queue") int capacity,
      @PropertyInject("seckill.minimal.remembered") long remembered) {
    return new OrderQueue(capacity, remembered, json, clock);
  }

  /** For statements that are run for the rows of a batch. */
  @BindToRegistry
  public SqlPrepareStatementStrategy namedParameters() {
    return new NamedParameters();
  }

  @BindToRegistry
  public OrderRelay orderRelay() {
    return new OrderRelay(json);
  }

  @BindToRegistry
  public DeadLetters deadLetters() {
    return new DeadLetters(json);
  }

  @BindToRegistry(lazy = true)
  public Sweeper sweeper(
      @BeanInject("clock") Clock clock,
      @BeanInject("consumerProgress") ConsumerProgress progress,
      @PropertyInject("seckill.orders.topic") String ordersTopic,
      @PropertyInject("seckill.writer.group") String writers,
      @PropertyInject("seckill.dead-letters.topic") String deadLettersTopic,
      @PropertyInject("seckill.dead-letters.group") String deadLettersGroup,
      @PropertyInject("seckill.sweeper.pending-limit") long pendingLimitMs,
      @PropertyInject("seckill.sweeper.max-resends") int maxResends) {
    return new Sweeper(
        json,
        clock,
        Duration.ofMillis(pendingLimitMs),
        maxResends,
        progress(progress, ordersTopic, writers),
        progress(progress, deadLettersTopic, deadLettersGroup));
  }

  private static Progress progress(ConsumerProgress progress, String topic, String group) {
    return () -> {
      Barrier barrier = progress.barrier(topic, group);
      return () -> progress.passed(barrier);
    };
  }
}
