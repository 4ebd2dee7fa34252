package io.seckill.domain;

/** Bytes that are not an order; the message says why. It will not become one by trying again. */
public final class UnreadableOrderException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableOrderException(String reason) {
    super(reason, null, false, false);
  }
}
