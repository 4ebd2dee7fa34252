package io.seckill.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * How far consumer groups have come. A consumer of this application commits an offset only after
 * MySQL committed what the records before it ask for, or the dead letters took them: when a {@link
 * Barrier} is passed, everything sent before it was taken is decided.
 *
 * <p>Thread-safe. Every method asks the broker and may block for the client's request timeout; each
 * throws {@link KafkaException} when Kafka cannot be reached.
 */
public final class ConsumerProgress implements AutoCloseable {
  private final Admin admin;

  public ConsumerProgress(Admin admin) {
    this.admin = admin;
  }

  /** Marks the present end of every partition of the topic, for the group to pass. */
  public Barrier barrier(String topic, String group) {
    return new Barrier(topic, group, offsets(partitions(topic), OffsetSpec.latest()));
  }

  /**
   * Whether the group has committed everything that was in the topic when the barrier was taken,
   * but for what Kafka itself has lost since.
   */
  public boolean passed(Barrier barrier) {
    Map<TopicPartition, Long> progress = next(barrier.topic(), barrier.group());
    return barrier.isPassedBy(progress)
        || barrier
            .cutTo(offsets(List.copyOf(barrier.ends().keySet()), OffsetSpec.latest()))
            .isPassedBy(progress);
  }

  /** Records of the topic that the group has not committed. */
  public long lag(String topic, String group) {
    Map<TopicPartition, Long> progress = next(topic, group);
    return offsets(List.copyOf(progress.keySet()), OffsetSpec.latest()).entrySet().stream()
        .mapToLong(end -> Math.max(0, end.getValue() - progress.get(end.getKey())))
        .sum();
  }

  /** Closes the client it was given. */
  @Override
  public void close() {
    admin.close();
  }

  /**
   * Per partition the offset of the first record that the group has not committed. Records that
   * were deleted by retention count as committed: nobody can read them any more.
   */
  Map<TopicPartition, Long> next(String topic, String group) {
    Map<TopicPartition, Long> progress =
        new HashMap<>(offsets(partitions(topic), OffsetSpec.earliest()));
    Topics.await(() -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get())
        .forEach(
            (partition, committed) -> {
              if (committed != null) {
                progress.computeIfPresent(
                    partition, (p, earliest) -> Math.max(earliest, committed.offset()));
              }
            });
    return progress;
  }

  private List<TopicPartition> partitions(String topic) {
    return Topics.await(() -> admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic))
        .partitions()
        .stream()
        .map(partition -> new TopicPartition(topic, partition.partition()))
        .toList();
  }

  private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec spec) {
    Map<TopicPartition, OffsetSpec> request =
        partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> spec));
    Map<TopicPartition, ListOffsetsResultInfo> answer =
        Topics.await(() -> admin.listOffsets(request).all().get());
    return answer.entrySet().stream()
        .filter(entry -> Objects.nonNull(entry.getValue()))
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().offset()));
  }
}
