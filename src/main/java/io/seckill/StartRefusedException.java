package io.seckill;

/**
 * The configuration or the machine does not allow a start; the message is one line that says what
 * to change.
 */
public final class StartRefusedException extends RuntimeException {
  public StartRefusedException(String message) {
    super(message);
  }

  public StartRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
