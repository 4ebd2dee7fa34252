package io.seckill.redis;

/**
 * A script or command failed because its arguments are wrong or a key holds another type. Nothing
 * was written. This is a defect, so the call is not retried.
 */
public final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ScriptException(String message) {
    super(message);
  }
}
