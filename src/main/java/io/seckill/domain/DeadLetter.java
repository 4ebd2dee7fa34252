package io.seckill.domain;

/**
 * A record that did not become an order.
 *
 * @param requestId null when the record cannot be read
 * @param value the bytes of the failed record
 * @param source where the record was: {@code topic-partition@offset}, or the sender's name
 * @param cause why it failed
 * @param attempts how often it was tried
 */
public record DeadLetter(String requestId, byte[] value, String source, String cause, int attempts)
    implements ConcernsOrder {
  private static final int MAX_CAUSE = 1000;

  public DeadLetter {
    cause = cause.length() <= MAX_CAUSE ? cause : cause.substring(0, MAX_CAUSE);
  }

  /** Makes a dead letter of bytes that are not an order. */
  public static DeadLetter unreadable(byte[] value, String source, String cause) {
    return new DeadLetter(null, value, source, cause, 1);
  }

  /** Makes a dead letter of an order that MySQL refused. */
  public static DeadLetter refused(QueuedOrder order, Throwable failure, int attempts) {
    return new DeadLetter(
        order.requestId(), order.value(), order.source(), rootCause(failure), attempts);
  }

  private static String rootCause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }
}
