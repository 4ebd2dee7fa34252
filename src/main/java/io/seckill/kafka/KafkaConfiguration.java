package io.seckill.kafka;

import io.seckill.StartRefusedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelContext;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;

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

  @PropertyInject("seckill.mode")
  private String mode;

  @PropertyInject(value = "seckill.kafka.brokers", defaultValue = "127.0.0.1:9092")
  private String brokers;

  @PropertyInject("seckill.kafka.security-protocol")
  private String securityProtocol;

  @PropertyInject("seckill.kafka.sasl-mechanism")
  private String saslMechanism;

  @PropertyInject("seckill.kafka.sasl-jaas-config")
  private String saslJaasConfig;

  @PropertyInject("seckill.kafka.truststore")
  private String truststore;

  @PropertyInject("seckill.kafka.truststore-password")
  private String truststorePassword;

  @PropertyInject("seckill.start-timeout")
  private long startTimeoutMs;

  @PropertyInject("seckill.orders.topic")
  private String orders;

  @PropertyInject("seckill.orders.partitions")
  private int partitions;

  @PropertyInject("seckill.dead-letters.topic")
  private String deadLetters;

  private Admin admin;

  @BindToRegistry
  public synchronized Admin kafkaAdmin() {
    if (admin == null && !mode.equals("minimal")) {
      admin = connect();
    }
    return admin;
  }

  /** Closes the client with it. */
  @BindToRegistry(destroyMethod = "close")
  public ConsumerProgress consumerProgress() {
    Admin client = kafkaAdmin();
    return client == null ? null : new ConsumerProgress(client);
  }

  @BindToRegistry
  public Backlog kafkaBacklog() {
    Admin client = kafkaAdmin();
    return client == null ? null : new Backlog(new ConsumerProgress(client), clientProperties());
  }

  @BindToRegistry
  public PolledRecords polledRecords() {
    return new PolledRecords();
  }

  @BindToRegistry
  public OutgoingRecords outgoingRecords(CamelContext context) {
    return new OutgoingRecords(context);
  }

  @BindToRegistry
  public ConsumerWatch consumerWatch(CamelContext context) {
    return new ConsumerWatch(context);
  }

  /** The routes' clients get the same from the options of Camel's component. */
  private Map<String, Object> clientProperties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, brokers);
    properties.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    properties.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, securityProtocol);
    properties.put(SaslConfigs.SASL_MECHANISM, saslMechanism);
    properties.put(SaslConfigs.SASL_JAAS_CONFIG, saslJaasConfig);
    properties.put(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, truststore);
    properties.put(SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG, truststorePassword);
    properties.values().removeIf(""::equals);
    return properties;
  }

  private Admin connect() {
    try {
      return connected();
    } catch (AuthenticationException e) {
      throw refusal(
          "does not let this application in (seckill.kafka.security-protocol, sasl-…)", e);
    } catch (TimeoutException e) {
      throw refusal("does not answer within " + startTimeoutMs / 1_000 + " s", e);
    } catch (KafkaException e) {
      throw refusal("cannot be used", e);
    }
  }

  private StartRefusedException refusal(String reason, KafkaException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new StartRefusedException(
        "Kafka at " + brokers + " (seckill.kafka.brokers) " + reason + ": " + cause.getMessage(),
        e);
  }

  private Admin connected() {
    Admin client = Admin.create(clientProperties());
    try {
      new Topics(client, Duration.ofMillis(startTimeoutMs))
          .ensure(
              List.of(
                  new Topic(orders, partitions, Map.of()),
                  new Topic(
                      deadLetters,
                      DEAD_LETTER_PARTITIONS,
                      Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, DEAD_LETTER_MAX_BYTES))));
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
    return client;
  }
}
