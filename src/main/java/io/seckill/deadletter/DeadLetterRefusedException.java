package io.seckill.deadletter;

/** A call on a dead letter is refused. It is an answer, not a fault. */
public final class DeadLetterRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Code code;

  /** The reason. */
  public enum Code {
    /** There is no dead letter of this id. */
    UNKNOWN_DEAD_LETTER,
    /** It is unreadable, so there is no order to compensate. */
    UNREADABLE,
    /** Its order has failed, so its record is not sent again. */
    ALREADY_COMPENSATED,
    /** Its order is SUCCESS, so its record is not sent again. */
    ALREADY_CONFIRMED
  }

  DeadLetterRefusedException(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
