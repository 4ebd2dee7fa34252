package io.seckill.kafka;

import java.util.Map;

/**
 * A topic as the application needs it.
 *
 * @param partitions the least it must have; more are left alone
 * @param settings topic settings that differ from the broker's, applied when it is created
 */
public record Topic(String name, int partitions, Map<String, String> settings) {}
