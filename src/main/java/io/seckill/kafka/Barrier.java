package io.seckill.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The ends of a topic's partitions at one moment. A consumer group has passed the barrier when it
 * has committed all records before these ends.
 */
public record Barrier(String topic, String group, Map<TopicPartition, Long> ends) {
  public Barrier {
    ends = Map.copyOf(ends);
  }

  /**
   * The same barrier without records that the topic has lost at its end, as when a broker loses the
   * last writes of its disk: no group can commit them any more.
   *
   * @param present the present ends; a partition that is missing here keeps its end
   */
  public Barrier cutTo(Map<TopicPartition, Long> present) {
    Map<TopicPartition, Long> lower = new HashMap<>(ends);
    lower.replaceAll((partition, end) -> Math.min(end, present.getOrDefault(partition, end)));
    return new Barrier(topic, group, lower);
  }

  /**
   * Whether a group's committed offsets are at or beyond every end.
   *
   * @param progress for each partition the offset of the first uncommitted record; 0 for a missing
   *     partition
   */
  public boolean isPassedBy(Map<TopicPartition, Long> progress) {
    return ends.entrySet().stream()
        .allMatch(end -> progress.getOrDefault(end.getKey(), 0L) >= end.getValue());
  }
}
