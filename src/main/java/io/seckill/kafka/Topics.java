package io.seckill.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates topics with their partitions; running it again, or on two nodes at once, is harmless. */
public final class Topics {
  private final Admin admin;
  private final Duration timeout;

  /**
   * @param timeout how long a broker that is not up yet is waited for
   */
  public Topics(Admin admin, Duration timeout) {
    this.admin = admin;
    this.timeout = timeout;
  }

  /**
   * Creates the topics that are missing and adds partitions to those that have too few. Partitions
   * are never taken away: Kafka cannot.
   *
   * @throws KafkaException when Kafka cannot be reached in time or refuses
   */
  public void ensure(List<Topic> topics) {
    Map<String, Topic> wanted =
        topics.stream().collect(Collectors.toMap(Topic::name, Function.identity()));
    int timeoutMs = Math.toIntExact(timeout.toMillis());
    Set<String> existing =
        await(() -> admin.listTopics(new ListTopicsOptions().timeoutMs(timeoutMs)).names().get());
    List<NewTopic> missing =
        topics.stream()
            .filter(topic -> !existing.contains(topic.name()))
            .map(Topics::asNew)
            .toList();
    tolerate(
        TopicExistsException.class,
        () ->
            admin
                .createTopics(missing, new CreateTopicsOptions().timeoutMs(timeoutMs))
                .all()
                .get());
    Set<String> grown =
        topics.stream().map(Topic::name).filter(existing::contains).collect(Collectors.toSet());
    Map<String, TopicDescription> descriptions =
        await(() -> admin.describeTopics(grown).allTopicNames().get());
    Map<String, NewPartitions> larger =
        descriptions.values().stream()
            .filter(is -> is.partitions().size() < wanted.get(is.name()).partitions())
            .collect(
                Collectors.toMap(
                    TopicDescription::name,
                    is -> NewPartitions.increaseTo(wanted.get(is.name()).partitions())));
    tolerate(InvalidPartitionsException.class, () -> admin.createPartitions(larger).all().get());
  }

  private static NewTopic asNew(Topic topic) {
    return new NewTopic(topic.name(), Optional.of(topic.partitions()), Optional.empty())
        .configs(topic.settings());
  }

  /** Another node may have been faster. */
  private static void tolerate(Class<? extends KafkaException> outcome, Call<?> call) {
    try {
      await(call);
    } catch (KafkaException e) {
      if (!outcome.isInstance(e)) {
        throw e;
      }
    }
  }

  static <T> T await(Call<T> call) {
    try {
      return call.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new org.apache.kafka.common.errors.InterruptException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KafkaException cause) {
        throw cause;
      }
      throw new KafkaException(e.getCause());
    }
  }

  interface Call<T> {
    T run() throws InterruptedException, ExecutionException;
  }
}
