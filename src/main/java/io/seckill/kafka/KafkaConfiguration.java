package io.seckill.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelContext;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Beans around Kafka. The topics are there before a route starts. In minimal mode, which has no
 * Kafka, there is no client.
 */
@Configuration
public class KafkaConfiguration {
  /** A dead letter holds a record's bytes and more; it must fit wherever the record did. */
  private static final String DEAD_LETTER_MAX_BYTES = Integer.toString(4 * 1024 * 1024);

  /** Dead letters are few. */
  private static final int DEAD_LETTER_PARTITIONS = 1;

  @BindToRegistry(destroyMethod = "close")
  public Admin kafkaAdmin(
      @PropertyInject("seckill.mode") String mode,
      @PropertyInject(value = "seckill.kafka.brokers", defaultValue = "") String brokers,
      @PropertyInject("seckill.start-timeout") long startTimeoutMs,
      @PropertyInject("seckill.orders.topic") String orders,
      @PropertyInject("seckill.orders.partitions") int partitions,
      @PropertyInject("seckill.dead-letters.topic") String deadLetters) {
    if (mode.equals("minimal")) {
      return null;
    }
    Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000));
    try {
      new Topics(admin, Duration.ofMillis(startTimeoutMs))
          .ensure(
              List.of(
                  new Topic(orders, partitions, Map.of()),
                  new Topic(
                      deadLetters,
                      DEAD_LETTER_PARTITIONS,
                      Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, DEAD_LETTER_MAX_BYTES))));
    } catch (RuntimeException e) {
      admin.close();
      throw e;
    }
    return admin;
  }

  @BindToRegistry(lazy = true)
  public ConsumerProgress consumerProgress(@BeanInject("kafkaAdmin") Admin admin) {
    return new ConsumerProgress(admin);
  }

  @BindToRegistry
  public PolledRecords polledRecords() {
    return new PolledRecords();
  }

  @BindToRegistry
  public OutgoingRecords outgoingRecords(CamelContext context) {
    return new OutgoingRecords(context);
  }
}
