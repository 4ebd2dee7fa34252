package io.seckill.kafka;

/**
 * How far a consumer group is.
 *
 * @param lag records in the topic that the group has not committed
 * @param committed records that it has, or that were deleted; it only grows
 */
public record Consumed(long lag, long committed) {}
