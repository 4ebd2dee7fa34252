package io.seckill.redis;

/**
 * The user of this node's connections lacks a right in Redis; the message names it. Nothing was
 * written, because a script fails before its first write.
 */
public final class MissingRightException extends RedisUnavailableException {
  private static final long serialVersionUID = 1L;

  MissingRightException(String message) {
    super(message);
  }
}
