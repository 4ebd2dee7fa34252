package io.seckill.api;

import io.seckill.domain.Purchase;
import io.seckill.redis.ScriptCall;

/**
 * A call of {@code reserve.lua}.
 *
 * @param outboxLimit entries the product's outbox may hold before the script refuses
 */
public record ReserveCall(Purchase purchase, long outboxLimit) implements ScriptCall {
  @Override
  public long productId() {
    return purchase.productId();
  }

  /** ARGV: userId, key, requestId, quantity, outboxLimit. */
  @Override
  public String[] arguments() {
    return new String[] {
      Long.toString(purchase.userId()),
      purchase.idemKey(),
      purchase.requestId(),
      Integer.toString(purchase.quantity()),
      Long.toString(outboxLimit)
    };
  }
}
