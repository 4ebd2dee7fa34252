package io.seckill.kafka;

import java.util.Map;

/**
 * A topic as the application needs it.
 *
 * @param partitions the least number; a topic may have more
 * @param settings settings for the creation that differ from the broker's
 */
public record Topic(String name, int partitions, Map<String, String> settings) {}
