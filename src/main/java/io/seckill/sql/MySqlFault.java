package io.seckill.sql;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.springframework.transaction.TransactionException;

/**
 * Faults of a MySQL that answers but cannot execute a correct statement now. Time or an operator
 * helps; changing the statement does not. Each is known by its error numbers. MySQL's and MariaDB's
 * references of server errors agree on all numbers used here.
 */
public enum MySqlFault {
  /** A primary became a replica, or an operator has locked the server. */
  READ_ONLY("MySQL is read-only", 1290, 1792, 1836, 3032),
  NO_ROOM("MySQL has no room left on its disk", 3, 20, 1021, 1026, 1114),
  NO_RIGHT("MySQL does not give the user of seckill.mysql.user the right", 1044, 1142, 1143, 1227),
  BUSY("MySQL is too busy", 1040, 1203, 1205, 1213, 1226);

  /** A storage engine's error, whose own number is in the text: no space, or quota exceeded. */
  private static final int STORAGE_ENGINE = 1030;

  /** The class of its SQLSTATEs. */
  private static final String CONNECTION_EXCEPTION = "08";

  private static final Set<String> NO_SPACE = Set.of("error 28 ", "error 122 ");

  private final String reason;
  private final Set<Integer> codes;

  MySqlFault(String reason, Integer... codes) {
    this.reason = reason;
    this.codes = Set.of(codes);
  }

  /** Half a sentence for an operator. It reveals nothing of the statement. */
  public String reason() {
    return reason;
  }

  /** The fault among a failure's causes; empty when there is none. */
  public static Optional<MySqlFault> of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return of(sql);
      }
    }
    return Optional.empty();
  }

  /** Whether MySQL went away in the middle: a connection or a transaction broke. */
  public static boolean isAway(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      boolean broken =
          cause instanceof SQLException sql
              && String.valueOf(sql.getSQLState()).startsWith(CONNECTION_EXCEPTION);
      if (broken || cause instanceof TransactionException) {
        return true;
      }
    }
    return false;
  }

  private static Optional<MySqlFault> of(SQLException failure) {
    if (failure.getErrorCode() == STORAGE_ENGINE) {
      String text = String.valueOf(failure.getMessage());
      return NO_SPACE.stream().anyMatch(text::contains) ? Optional.of(NO_ROOM) : Optional.empty();
    }
    return Arrays.stream(values())
        .filter(fault -> fault.codes.contains(failure.getErrorCode()))
        .findFirst();
  }
}
