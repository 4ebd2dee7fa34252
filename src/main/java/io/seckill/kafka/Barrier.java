package io.seckill.kafka;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The ends of a topic's partitions at one moment. A consumer group has passed it when it committed
 * everything that was there then.
 */
public record Barrier(String topic, String group, Map<TopicPartition, Long> ends) {
  public Barrier {
    ends = Map.copyOf(ends);
  }

  /**
   * Whether offsets a group committed lie at or behind every end.
   *
   * @param progress per partition the offset of the first record not committed; a partition that is
   *     missing counts as 0
   */
  public boolean isPassedBy(Map<TopicPartition, Long> progress) {
    return ends.entrySet().stream()
        .allMatch(end -> progress.getOrDefault(end.getKey(), 0L) >= end.getValue());
  }
}
