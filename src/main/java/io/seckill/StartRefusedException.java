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

  /** The refusal that an error is, or was caused by: whoever starts beans and routes wraps it. */
  public static Optional<StartRefusedException> in(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .limit(LONGEST_CHAIN)
        .filter(StartRefusedException.class::isInstance)
        .map(StartRefusedException.class::cast)
        .findFirst();
  }
}
