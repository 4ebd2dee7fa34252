package io.seckill;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configuration or the machine does not allow a start; the message is one line that says what
 * to change.
 */
public final class StartRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_CHAIN = 100;

  public StartRefusedException(String message) {
    super(message);
  }

  public StartRefusedException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Finds the refusal among an error and its causes, because Camel wraps what beans and routes
   * throw.
   */
  public static Optional<StartRefusedException> in(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .limit(LONGEST_CHAIN)
        .filter(StartRefusedException.class::isInstance)
        .map(StartRefusedException.class::cast)
        .findFirst();
  }
}
