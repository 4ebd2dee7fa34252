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
 * Tells the two kinds of failure apart. A server is away, or another transaction stood in the way:
 * it passes, the batch is held and tried again. Or a record in the batch is refused: trying again
 * does not help it, and the records beside it must not wait for it.
 */
public final class WriteFailures {
  /**
   * SQLSTATE classes "data exception", "integrity constraint violation" and what a trigger signals.
   */
  private static final Set<String> REFUSING_CLASSES = Set.of("22", "23", "45");

  /** A CHECK constraint: MySQL gives it no SQLSTATE of its own, MariaDB does. */
  private static final Set<Integer> CHECK_VIOLATED = Set.of(3819, 4025);

  /** SQLSTATE classes "connection exception" and "transaction rollback". */
  private static final Pattern PASSING_CLASSES = Pattern.compile("^(08|40)");

  private static final int LONGEST_REASON = 300;

  private final Clock clock;
  private final Duration holdAtMost;

  /**
   * @param holdAtMost how long a batch is held before it goes back to Kafka; it must end before
   *     max.poll.interval.ms does
   */
  public WriteFailures(Clock clock, Duration holdAtMost) {
    this.clock = clock;
    this.holdAtMost = holdAtMost;
  }

  /**
   * Whether it is a record's fault. A statement MySQL does not understand is not: no order shall
   * die of a mistake in a statement, or of a parameter it misses; nor is a route or a bean that is
   * not there, as while it is edited, nor a script that answers what nobody knows, nor a JVM that
   * has no memory left. What no server said else, such as a bean's exception, is.
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

  /** Whether it may go by itself: trying again helps. */
  public boolean isPassing(Throwable failure) {
    return !isRefusal(failure);
  }

  /**
   * Throws the failure again unless it is a record's fault.
   *
   * @throws Exception the failure
   */
  public void passOnUnlessRefused(Exception failure) throws Exception {
    if (!isRefusal(failure)) {
      throw failure;
    }
  }

  /**
   * What somebody has to mend before a batch that is held can be written, in one line; empty where
   * it only waits for a server or for another transaction.
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
        : Optional.of("MySQL does not take a statement: " + oneLine(failure));
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
   * Whether to try a batch again here. Not when its partitions went to another consumer, and not
   * for so long that Kafka takes this one for dead.
   *
   * @param since when the batch was taken up
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
