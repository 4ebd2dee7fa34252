package io.seckill.kafka;

import io.seckill.StartRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelContext;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.camel.component.kafka.KafkaClientFactory;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;

/** The beans for Kafka. Minimal mode has no Kafka and no client. */
@Configuration
public class KafkaConfiguration {
  /** A dead letter contains a record's bytes and more, so its limit is higher than a record's. */
  private static final String DEAD_LETTER_MAX_BYTES = Integer.toString(4 * 1024 * 1024);

  /** Dead letters are few. */
  private static final int DEAD_LETTER_PARTITIONS = 1;

  @PropertyInject("seckill.mode")
  private String mode;

  @PropertyInject(value = "seckill.kafka.brokers", defaultValue = "127.0.0.1:9092")
  private String brokers;

  @PropertyInject("seckill.start-timeout")
  private long startTimeoutMs;

  @PropertyInject("seckill.orders.topic")
  private String orders;

  @PropertyInject("seckill.orders.partitions")
  private int partitions;

  @PropertyInject("seckill.dead-letters.topic")
  private String deadLetters;

  @PropertyInject("seckill.results")
  private String resultsAreOn;

  @PropertyInject("seckill.results.topic")
  private String results;

  private Admin admin;

  @BindToRegistry
  public synchronized Admin kafkaAdmin(CamelContext context) {
    if (admin == null && !mode.equals("minimal")) {
      try {
        admin = Admin.create(clientProperties(context));
      } catch (KafkaException e) {
        throw new StartRefusedException(KafkaRefusal.of(e, brokers, startTimeout()), e);
      }
    }
    return admin;
  }

  private Duration startTimeout() {
    return Duration.ofMillis(startTimeoutMs);
  }

  /** Whoever starts the context ensures them first. */
  @BindToRegistry
  public StartTopics startTopics(CamelContext context) {
    Admin client = kafkaAdmin(context);
    return client == null ? null : new StartTopics(client, brokers, startTimeout(), topics());
  }

  /** Its end also closes the client. */
  @BindToRegistry(destroyMethod = "close")
  public ConsumerProgress consumerProgress(CamelContext context) {
    Admin client = kafkaAdmin(context);
    return client == null ? null : new ConsumerProgress(client);
  }

  @BindToRegistry
  public Backlog kafkaBacklog(CamelContext context) {
    Admin client = kafkaAdmin(context);
    return client == null
        ? null
        : new Backlog(new ConsumerProgress(client), clientProperties(context));
  }

  @BindToRegistry
  public PolledRecords polledRecords() {
    return new PolledRecords();
  }

  @BindToRegistry
  public KafkaClientFactory wholePolls(@PropertyInject("seckill.writer.linger") long lingerMs) {
    return new WholePolls(Duration.ofMillis(lingerMs));
  }

  @BindToRegistry
  public OutgoingRecords outgoingRecords(CamelContext context) {
    return new OutgoingRecords(context);
  }

  @BindToRegistry
  public ConsumerWatch consumerWatch(CamelContext context) {
    return new ConsumerWatch(context);
  }

  /** The routes' clients get the same values from the options of Camel's component. */
  private Map<String, Object> clientProperties(CamelContext context) {
    Map<String, Object> properties =
        ClientSecurity.of(
            name -> context.getPropertiesComponent().resolveProperty(name).orElse(""));
    properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, brokers);
    properties.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    properties.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    // whoever waits for a broker that starts learns of it soon
    properties.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    return properties;
  }

  private List<Topic> topics() {
    List<Topic> topics = new ArrayList<>();
    topics.add(new Topic(orders, partitions, Map.of()));
    topics.add(
        new Topic(
            deadLetters,
            DEAD_LETTER_PARTITIONS,
            Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, DEAD_LETTER_MAX_BYTES)));
    if (resultsAreOn.equals("on")) {
      topics.add(new Topic(results, partitions, Map.of()));
    }
    return topics;
  }
}
