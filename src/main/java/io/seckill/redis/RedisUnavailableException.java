package io.seckill.redis;

/**
 * Redis gave no answer that counts: it is unreachable, too slow, loading or full, its circuit
 * breaker is open, or the book asked for is closed to admissions. The call may or may not have been
 * carried out; every script may be run again. Carries no stack trace, for it is thrown by the
 * thousand when Redis is away.
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
