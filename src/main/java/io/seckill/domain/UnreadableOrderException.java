package io.seckill.domain;

/** The bytes are not an order; the message says why. Trying again does not help. */
public final class UnreadableOrderException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableOrderException(String reason) {
    super(reason, null, false, false);
  }
}
