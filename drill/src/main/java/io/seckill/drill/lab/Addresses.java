package io.seckill.drill.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Addresses of servers and how they let clients in, under the application's property names.
 *
 * @param kafkaLogin the properties that begin with {@code seckill.kafka.}, but for the brokers
 */
public record Addresses(
    String redisUri,
    String brokers,
    Map<String, String> kafkaLogin,
    String mysqlUrl,
    String mysqlUser,
    String mysqlPassword) {
  private static final String BROKERS = "seckill.kafka.brokers";
  private static final String OF_KAFKA = "seckill.kafka.";

  /**
   * Reads a file like the one that the embedded servers write.
   *
   * @throws LabException when a property is missing
   */
  public static Addresses of(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    return new Addresses(
        required(properties, "seckill.redis.uri"),
        required(properties, BROKERS),
        kafkaLogin(properties),
        required(properties, "seckill.mysql.url"),
        required(properties, "seckill.mysql.user"),
        required(properties, "seckill.mysql.password"));
  }

  private static Map<String, String> kafkaLogin(Properties properties) {
    Map<String, String> login = new LinkedHashMap<>();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(OF_KAFKA) && !name.equals(BROKERS)) {
        login.put(name, properties.getProperty(name));
      }
    }
    return login;
  }

  private static String required(Properties properties, String name) {
    String value = properties.getProperty(name);
    if (value == null || value.isBlank()) {
      throw new LabException("The property " + name + " is not set");
    }
    return value;
  }

  /** The options of a client of Kafka. */
  Map<String, Object> kafkaClient() {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("bootstrap.servers", brokers);
    for (String name : new String[] {"security-protocol", "sasl-mechanism", "sasl-jaas-config"}) {
      String value = kafkaLogin.get(OF_KAFKA + name);
      if (value != null) {
        options.put(name.replace('-', '.'), value);
      }
    }
    return options;
  }

  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.redis.uri", redisUri);
    properties.put(BROKERS, brokers);
    properties.putAll(kafkaLogin);
    properties.put("seckill.mysql.url", mysqlUrl);
    properties.put("seckill.mysql.user", mysqlUser);
    properties.put("seckill.mysql.password", mysqlPassword);
    return properties;
  }
}
