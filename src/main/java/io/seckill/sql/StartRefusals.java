package io.seckill.sql;

import io.seckill.StartRefusedException;
import java.sql.SQLException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Explains in one sentence why the application cannot start with this MySQL, and which property or
 * grant to change.
 *
 * @param url the JDBC URL
 * @param user the user who connects
 */
record StartRefusals(String url, String user) {
  private static final int HOST_NOT_ALLOWED = 1130;
  private static final int WRONG_PASSWORD = 1045;
  private static final int NO_PASSWORD_HERE = 1698;
  private static final int NO_RIGHT_ON_DATABASE = 1044;
  private static final int UNKNOWN_DATABASE = 1049;

  /**
   * The refusal for a failed connection when waiting does not help; empty when the server may just
   * not be up yet.
   */
  Optional<StartRefusedException> ofConnecting(SQLException failure) {
    String text = String.valueOf(failure.getMessage());
    String sentence =
        switch (failure.getErrorCode()) {
          case WRONG_PASSWORD, NO_PASSWORD_HERE ->
              "MySQL does not let '"
                  + user
                  + "' in with this password: check seckill.mysql.user and seckill.mysql.password.";
          case HOST_NOT_ALLOWED ->
              "MySQL refuses all connections from this machine: create the user of seckill.mysql.user for its address.";
          case NO_RIGHT_ON_DATABASE -> noRight();
          case UNKNOWN_DATABASE ->
              "MySQL has no database '"
                  + database()
                  + "': create it, or name another one in seckill.mysql.url.";
          default -> null;
        };
    if (text.contains("Public Key Retrieval")) {
      sentence =
          "MySQL asks for the password of '"
              + user
              + "' by caching_sha2_password, which the driver does not send over a connection without TLS: in"
              + " seckill.mysql.url set sslMode=REQUIRED, or, in a network that you trust, allowPublicKeyRetrieval=true.";
    } else if (has(failure, SSLException.class)) {
      sentence =
          "TLS with MySQL fails ("
              + innermost(failure).getMessage()
              + "): check sslMode and the trust store in seckill.mysql.url.";
    } else if (text.contains("No suitable driver") || isOfUrl(failure)) {
      sentence =
          "seckill.mysql.url is not an address such as jdbc:mysql://host:3306/database: "
              + innermost(failure).getMessage();
    }
    return Optional.ofNullable(sentence).map(reason -> new StartRefusedException(reason, failure));
  }

  /** The refusal when the server did not answer in time. */
  StartRefusedException ofWaiting(SQLException last, long seconds) {
    return new StartRefusedException(
        "MySQL at "
            + server()
            + " (seckill.mysql.url) does not answer for "
            + seconds
            + " s (seckill.start-timeout): "
            + innermost(last).getMessage(),
        last);
  }

  /** The refusal when the schema cannot be brought up to date. */
  StartRefusedException ofMigrating(Exception failure) {
    Optional<MySqlFault> fault = MySqlFault.of(failure);
    String sentence;
    if (fault.isPresent() && fault.get() == MySqlFault.NO_RIGHT) {
      sentence = noRight();
    } else if (String.valueOf(failure.getMessage()).contains("non-empty schema")) {
      sentence =
          "The database '"
              + database()
              + "' holds tables that are not this application's: give it a database of its own in seckill.mysql.url.";
    } else {
      String reason =
          fault
              .map(MySqlFault::reason)
              .orElseGet(() -> innermost(failure).getMessage().strip().replaceAll("\\s+", " "));
      sentence = "The tables in MySQL cannot be brought up to date: " + reason;
    }
    return new StartRefusedException(sentence, failure);
  }

  private String noRight() {
    return "The user of seckill.mysql.user lacks rights: GRANT ALL ON `"
        + database()
        + "`.* TO '"
        + user
        + "'.";
  }

  private String database() {
    return url.replaceAll("^jdbc:mysql:[^/]*//[^/]*/?([^?]*).*$", "$1");
  }

  private String server() {
    return url.replaceAll("^jdbc:mysql:[^/]*//([^/?@]*@)?([^/?]*).*$", "$2");
  }

  /**
   * Compares by package name, because the driver's exceptions for a wrong URL are in an internal
   * package.
   */
  private static boolean isOfUrl(SQLException failure) {
    return innermost(failure).getClass().getSimpleName().equals("WrongArgumentException")
        || innermost(failure)
            .getClass()
            .getSimpleName()
            .equals("InvalidConnectionAttributeException");
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static Throwable innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
