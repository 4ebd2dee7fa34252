package io.seckill.deadletter;

/** What a person asked of a dead letter cannot be done. An answer, not a fault. */
public final class DeadLetterRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Code code;

  /** Why not. */
  public enum Code {
    /** There is no dead letter of this id. */
    UNKNOWN_DEAD_LETTER,
    /** It holds no order that could be compensated. */
    UNREADABLE,
    /** Its order has failed: its record is not sent again. */
    ALREADY_COMPENSATED,
    /** Its order is SUCCESS: its record is not sent again. */
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
