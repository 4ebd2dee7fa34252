package io.seckill.redis;

/**
 * Redis gave no usable answer: it is unreachable, too slow, loading or full, its circuit breaker is
 * open, or the sale is closed to buyers. Redis may have executed the call or not; every script may
 * run again. It has no stack trace, because thousands are thrown while Redis is away.
 */
public sealed class RedisUnavailableException extends RuntimeException
    permits MissingRightException {
  private static final long serialVersionUID = 1L;

  public RedisUnavailableException(String message) {
    this(message, null);
  }

  public RedisUnavailableException(String message, Throwable cause) {
    super(message, cause, false, false);
  }
}
