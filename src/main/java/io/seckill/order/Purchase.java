package io.seckill.order;

import io.seckill.redis.ScriptCall;

/**
 * A buyer's wish, as {@code reserve.lua} takes it.
 *
 * @param idemKey the client's key, 1 to 40 of {@code A-Z a-z 0-9 . _ : -}
 * @param outboxLimit entries the product's outbox may hold before the script refuses
 */
public record Purchase(
    long productId, long userId, String idemKey, int quantity, String requestId, long outboxLimit)
    implements ScriptCall {

  /** ARGV of reserve.lua: userId, key, requestId, quantity, outboxLimit. */
  @Override
  public String[] arguments() {
    return new String[] {
      Long.toString(userId),
      idemKey,
      requestId,
      Integer.toString(quantity),
      Long.toString(outboxLimit)
    };
  }
}
