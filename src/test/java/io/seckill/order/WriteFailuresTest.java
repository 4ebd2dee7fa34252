package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisConnectionException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.NoSuchBeanException;
import org.apache.camel.RuntimeExchangeException;
import org.apache.camel.component.direct.DirectConsumerNotAvailableException;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;

class WriteFailuresTest {
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_000L);

  private final WriteFailures failures =
      new WriteFailures(Clock.fixed(NOW, ZoneOffset.UTC), Duration.ofMinutes(3));

  static Stream<Exception> passing() {
    return Stream.of(
        new CannotGetJdbcConnectionException("away", new SQLException("refused", "08001")),
        new CannotCreateTransactionException("pool", new RuntimeException("timed out")),
        new CannotAcquireLockException(
            "deadlock", new SQLException("Deadlock found", "40001", 1213)),
        new RuntimeException(new SQLException("Lock wait timeout exceeded", "40001", 1205)),
        new RuntimeException(new SQLException("You have an error in your SQL syntax", "42000")),
        new RuntimeException(new SQLException("no state")),
        new RedisConnectionException("away"),
        new ExecutionException(new TimeoutException("no broker")),
        new RejectedExecutionException("stopping"),
        new DirectConsumerNotAvailableException("the route is being edited", null),
        new NoSuchBeanException("missing"),
        new RuntimeExchangeException("Cannot find key [x] in message body", null),
        new CamelExecutionException("no record's fault", null, new OutOfMemoryError()));
  }

  @ParameterizedTest
  @MethodSource("passing")
  void shouldHoldTheBatchWhenAServerOrAnotherTransactionFailed(Exception failure) {
    assertThat(failures.isRefusal(failure)).isFalse();
    assertThat(failures.isWorthRetrying(failure, Date.from(NOW))).isTrue();
  }

  static Stream<Exception> refusals() {
    return Stream.of(
        new RuntimeException(new SQLException("Duplicate entry", "23000", 1062)),
        new RuntimeException(new BatchUpdateException("Data too long", "22001", 1406, new int[0])),
        new RuntimeException(new SQLException("Check constraint is violated.", "HY000", 3819)),
        new RuntimeException(new SQLException("CONSTRAINT failed", "23000", 4025)),
        new RuntimeException(new SQLException("refused by a trigger", "45000", 1644)),
        new IllegalStateException("No row although it was just written"),
        new ClassCastException("a bean's mistake"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void shouldIsolateTheRecordThatIsRefused(Exception failure) {
    assertThat(failures.isRefusal(failure)).isTrue();
  }

  @Test
  void shouldNotHoldABatchWhosePartitionsWentToAnotherConsumer() {
    Exception failure = new RuntimeException(new CommitFailedException("rebalanced"));
    assertThat(failures.isWorthRetrying(failure, Date.from(NOW))).isFalse();
  }

  @Test
  void shouldHandABatchBackToKafkaAfterHoldingItForTheLimit() {
    Exception failure = new RedisConnectionException("away");
    Date before = Date.from(NOW.minus(Duration.ofMinutes(3)));
    assertThat(failures.isWorthRetrying(failure, before)).isFalse();
  }
}
