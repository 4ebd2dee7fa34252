package io.seckill.redis;

/**
 * Redis ran a script or command and refused it: wrong arguments, or a key that holds something
 * else. Nothing was written. It is a defect, so it is not tried again.
 */
public final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ScriptException(String message) {
    super(message);
  }
}
