package io.seckill.order;

import io.lettuce.core.RedisException;
import io.seckill.book.script.UnknownReplyException;
import io.seckill.redis.RedisUnavailableException;
import io.seckill.sql.MySqlFault;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.camel.NoSuchBeanException;
import org.apache.camel.RuntimeExchangeException;
import org.apache.camel.component.direct.DirectConsumerNotAvailableException;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.springframework.transaction.TransactionException;

/**
 * Distinguishes two kinds of failure. A failure passes when a server is away or another transaction
 * is in the way: the route holds the batch and tries again. A refusal means that MySQL does not
 * accept a record of the batch: trying again does not help, and the other records must not wait for
 * it.
 */
public final class WriteFailures {
  /**
   * SQLSTATE classes "data exception", "integrity constraint violation" and "unhandled user-defined
   * exception", which triggers signal.
   */
  private static final Set<String> REFUSING_CLASSES = Set.of("22", "23", "45");

  /** Errors of a violated CHECK constraint, for which MySQL has no SQLSTATE of its own. */
  private static final Set<Integer> CHECK_VIOLATED = Set.of(3819, 4025);

  /** SQLSTATE classes "connection exception" and "transaction rollback". */
  private static final Pattern PASSING_CLASSES = Pattern.compile("^(08|40)");

  private static final int LONGEST_REASON = 300;

  private final Clock clock;
  private final Duration holdAtMost;

  /**
   * @param holdAtMost how long to hold a batch before it goes back to Kafka; must be shorter than
   *     max.poll.interval.ms
   */
  public WriteFailures(Clock clock, Duration holdAtMost) {
    this.clock = clock;
    this.holdAtMost = holdAtMost;
  }

  /**
   * Whether a record is at fault. These failures are not a record's fault, because no order may
   * fail for them: a statement with a mistake or a missing parameter, a route or bean that is
   * missing during an edit, an unknown reply of a script, and a JVM without memory. Any other
   * exception counts as the record's fault, for example a bean's exception.
   */
  public boolean isRefusal(Throwable failure) {
    boolean refused = true;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return isRefusal(sql);
      }
      if (isServers(cause) || isOurs(cause)) {
        refused = false;
      }
    }
    return refused;
  }

  /** Whether the failure may pass, so that trying again helps. */
  public boolean isPassing(Throwable failure) {
    return !isRefusal(failure);
  }

  /**
   * Throws the failure again unless a record is at fault.
   *
   * @throws Exception the failure
   */
  public void passOnUnlessRefused(Exception failure) throws Exception {
    if (!isRefusal(failure)) {
      throw failure;
    }
  }

  /**
   * One line that says what an operator must correct before a held batch can be written; empty when
   * it waits only for a server or another transaction.
   */
  public static Optional<String> toMend(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return toMend(sql);
      }
      if (isOurs(cause)) {
        return Optional.of(oneLine(cause));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> toMend(SQLException failure) {
    Optional<MySqlFault> fault = MySqlFault.of(failure);
    if (fault.isPresent()) {
      return fault.filter(known -> known != MySqlFault.BUSY).map(MySqlFault::reason);
    }
    String state = String.valueOf(failure.getSQLState());
    boolean passes =
        failure instanceof SQLTransientException || PASSING_CLASSES.matcher(state).find();
    return passes
        ? Optional.empty()
        : Optional.of("MySQL does not accept a statement: " + oneLine(failure));
  }

  private static String oneLine(Throwable failure) {
    String text = String.valueOf(failure.getMessage()).replaceAll("\\s+", " ").strip();
    return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
  }

  private static boolean isRefusal(SQLException failure) {
    if (CHECK_VIOLATED.contains(failure.getErrorCode())) {
      return true;
    }
    String state = failure.getSQLState();
    return state != null && state.length() == 5 && REFUSING_CLASSES.contains(state.substring(0, 2));
  }

  private static boolean isServers(Throwable cause) {
    return cause instanceof TransactionException
        || cause instanceof RedisException
        || cause instanceof KafkaException
        || cause instanceof IOException
        || cause instanceof TimeoutException
        || cause instanceof InterruptedException
        || cause instanceof RejectedExecutionException
        || cause instanceof RedisUnavailableException;
  }

  private static boolean isOurs(Throwable cause) {
    return cause instanceof Error
        || cause instanceof UnknownReplyException
        || cause instanceof DirectConsumerNotAvailableException
        || cause instanceof NoSuchBeanException
        || cause instanceof RuntimeExchangeException;
  }

  /**
   * Whether this consumer may try a batch again: false when another consumer has its partitions,
   * and before Kafka would count this consumer as dead.
   *
   * @param since when the work on the batch began
   */
  public boolean isWorthRetrying(Throwable failure, Date since) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CommitFailedException || cause instanceof RebalanceInProgressException) {
        return false;
      }
    }
    return clock.millis() - since.getTime() < holdAtMost.toMillis();
  }
}
