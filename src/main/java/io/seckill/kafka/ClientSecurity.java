package io.seckill.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;

/**
 * What decides how a client of Kafka is let in: the name Kafka gives it, and the property of this
 * application that says it.
 */
public final class ClientSecurity {
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry(
              CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "seckill.kafka.security-protocol"),
          Map.entry(SaslConfigs.SASL_MECHANISM, "seckill.kafka.sasl-mechanism"),
          Map.entry(SaslConfigs.SASL_JAAS_CONFIG, "seckill.kafka.sasl-jaas-config"),
          Map.entry(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, "seckill.kafka.truststore"),
          Map.entry(SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG, "seckill.kafka.truststore-password"),
          Map.entry(SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG, "seckill.kafka.truststore-type"),
          Map.entry(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG, "seckill.kafka.keystore"),
          Map.entry(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG, "seckill.kafka.keystore-password"),
          Map.entry(SslConfigs.SSL_KEYSTORE_TYPE_CONFIG, "seckill.kafka.keystore-type"),
          Map.entry(
              SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG,
              "seckill.kafka.endpoint-identification"),
          Map.entry(SslConfigs.SSL_KEY_PASSWORD_CONFIG, "seckill.kafka.key-password"));

  private ClientSecurity() {}

  /**
   * The options of a client.
   *
   * @param property gives the value of a property of this application; null or blank for none
   */
  public static Map<String, Object> of(UnaryOperator<String> property) {
    Map<String, Object> options = new HashMap<>();
    NAMES.forEach(
        (name, own) -> {
          String value = property.apply(own);
          if (value != null && !value.isBlank()) {
            options.put(name, value);
          }
        });
    options.replace(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG, "none", "");
    return options;
  }
}
