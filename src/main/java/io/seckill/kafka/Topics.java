package io.seckill.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates topics with their partitions. It may run again, and on several nodes at once. */
public final class Topics {
  private static final Logger LOG = LoggerFactory.getLogger(Topics.class);
  private static final long LOOK_AGAIN_MILLIS = 20;

  private final Admin admin;
  private final Duration timeout;

  /**
   * @param timeout how long to wait for a broker that is not up yet
   */
  public Topics(Admin admin, Duration timeout) {
    this.admin = admin;
    this.timeout = timeout;
  }

  /**
   * Creates missing topics, adds missing partitions, and returns once the broker reports them to
   * clients. It never removes partitions, because Kafka cannot.
   *
   * @throws KafkaException when Kafka refuses or does not answer in time
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
    Map<String, NewPartitions> larger =
        awaitDescribed(wanted.keySet(), is -> true).stream()
            .filter(is -> lacksPartitions(is, wanted))
            .collect(
                Collectors.toMap(
                    TopicDescription::name,
                    is -> NewPartitions.increaseTo(wanted.get(is.name()).partitions())));
    tolerate(InvalidPartitionsException.class, () -> admin.createPartitions(larger).all().get());
    awaitDescribed(wanted.keySet(), is -> !lacksPartitions(is, wanted));
  }

  private static boolean lacksPartitions(TopicDescription is, Map<String, Topic> wanted) {
    return is.partitions().size() < wanted.get(is.name()).partitions();
  }

  /**
   * Waits, because brokers and their clients learn of the controller's decisions a moment later.
   */
  private Collection<TopicDescription> awaitDescribed(
      Set<String> names, Predicate<TopicDescription> enough) {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        Collection<TopicDescription> described =
            await(() -> admin.describeTopics(names).allTopicNames().get()).values();
        if (described.stream().allMatch(enough)) {
          return described;
        }
      } catch (UnknownTopicOrPartitionException e) {
        LOG.debug("Clients do not see the topics yet: {}", names);
      }
      if (System.nanoTime() - end >= 0) {
        throw new TimeoutException("Kafka does not report " + names + " within " + timeout);
      }
      await(
          () -> {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            return null;
          });
    }
  }

  private static NewTopic asNew(Topic topic) {
    return new NewTopic(topic.name(), Optional.of(topic.partitions()), Optional.empty())
        .configs(topic.settings());
  }

  /** Ignores this outcome, because another node may have been faster. */
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
