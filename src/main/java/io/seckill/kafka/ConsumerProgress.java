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
 * Tells the progress of consumer groups. This application's consumers commit an offset only after
 * MySQL, or the dead letters, have all records before it. So when a {@link Barrier} is passed,
 * everything that was sent before it is decided.
 *
 * <p>Thread-safe. Every method asks the broker. It may block for the client's request timeout, and
 * throws {@link KafkaException} when Kafka is away.
 */
public final class ConsumerProgress implements AutoCloseable {
  private final Admin admin;

  public ConsumerProgress(Admin admin) {
    this.admin = admin;
  }

  /** Marks the present end of every partition of the topic; the group is to pass it. */
  public Barrier barrier(String topic, String group) {
    return new Barrier(topic, group, offsets(partitions(topic), OffsetSpec.latest()));
  }

  /**
   * Whether the group has committed everything before the barrier, except what Kafka itself has
   * lost since.
   */
  public boolean passed(Barrier barrier) {
    Map<TopicPartition, Long> progress = next(barrier.topic(), barrier.group());
    return barrier.isPassedBy(progress)
        || barrier
            .cutTo(offsets(List.copyOf(barrier.ends().keySet()), OffsetSpec.latest()))
            .isPassedBy(progress);
  }

  /** How many records of the topic the group has committed, and how many not. */
  public Consumed consumed(String topic, String group) {
    Map<TopicPartition, Long> progress = next(topic, group);
    long lag =
        offsets(List.copyOf(progress.keySet()), OffsetSpec.latest()).entrySet().stream()
            .mapToLong(end -> Math.max(0, end.getValue() - progress.get(end.getKey())))
            .sum();
    return new Consumed(lag, progress.values().stream().mapToLong(Long::longValue).sum());
  }

  /** Closes the client that the constructor got. */
  @Override
  public void close() {
    admin.close();
  }

  /**
   * For each partition the offset of the first uncommitted record. Records that retention has
   * deleted count as committed, because nobody can read them any more.
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
