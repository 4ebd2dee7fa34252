package io.seckill.recovery;

import io.seckill.redis.PinnedCall;
import io.seckill.redis.ScriptCall;

/**
 * A book of an older run on its way into the present one.
 *
 * @param epoch that MySQL and then the book get
 * @param run run id of the Redis that is talked to: no call reaches another one
 */
public record Adoption(long productId, long epoch, String run) {
  ScriptCall call(String step) {
    return new PinnedCall(productId, run, step, Long.toString(epoch), run);
  }
}
