package io.seckill.redis;

/**
 * A call that reaches the Redis of one run id or none.
 *
 * @param run run id of that Redis
 */
public record PinnedCall(long productId, String run, String... arguments) implements ScriptCall {}
