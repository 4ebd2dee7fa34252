package io.seckill.kafka;

import java.util.HashMap;
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
   * The same barrier where the topic has lost what was at its end, as a broker does that loses its
   * disk's last writes: nobody can commit that any more.
   *
   * @param present the ends of the partitions now; of one that is missing nothing is cut
   */
  public Barrier cutTo(Map<TopicPartition, Long> present) {
    Map<TopicPartition, Long> lower = new HashMap<>(ends);
    lower.replaceAll((partition, end) -> Math.min(end, present.getOrDefault(partition, end)));
    return new Barrier(topic, group, lower);
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
