package io.seckill.sql;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * What keeps a MySQL that answers from doing what it is asked, though the statement is right: time
 * or an operator helps, a change of the statement does not. Told by error numbers; MySQL's and
 * MariaDB's references of server errors list them, and the two agree on all that are here.
 */
public enum MySqlFault {
  /** As a primary is that became a replica, or one that an operator has locked. */
  READ_ONLY("MySQL is read-only", 1290, 1792, 1836, 3032),
  NO_ROOM("MySQL has no room left on its disk", 3, 20, 1021, 1026, 1114),
  NO_RIGHT("MySQL does not give the user of seckill.mysql.user the right", 1044, 1142, 1143, 1227),
  BUSY("MySQL is too busy", 1040, 1203, 1205, 1213, 1226);

  /** The storage engine's error, whose own number stands in its text: no space, quota exceeded. */
  private static final int STORAGE_ENGINE = 1030;

  private static final Set<String> NO_SPACE = Set.of("error 28 ", "error 122 ");

  private final String reason;
  private final Set<Integer> codes;

  MySqlFault(String reason, Integer... codes) {
    this.reason = reason;
    this.codes = Set.of(codes);
  }

  /** Half a sentence for an operator, which tells nothing of the statement. */
  public String reason() {
    return reason;
  }

  /** The fault that is the cause of a failure; empty where it is something else. */
  public static Optional<MySqlFault> of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return of(sql);
      }
    }
    return Optional.empty();
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
