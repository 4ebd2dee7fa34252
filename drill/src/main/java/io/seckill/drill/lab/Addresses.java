package io.seckill.drill.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** Addresses of servers, under the application's property names. */
public record Addresses(
    String redisUri, String brokers, String mysqlUrl, String mysqlUser, String mysqlPassword) {

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
        required(properties, "seckill.kafka.brokers"),
        required(properties, "seckill.mysql.url"),
        required(properties, "seckill.mysql.user"),
        required(properties, "seckill.mysql.password"));
  }

  private static String required(Properties properties, String name) {
    String value = properties.getProperty(name);
    if (value == null || value.isBlank()) {
      throw new LabException("The property " + name + " is not set");
    }
    return value;
  }

  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.redis.uri", redisUri);
    properties.put("seckill.kafka.brokers", brokers);
    properties.put("seckill.mysql.url", mysqlUrl);
    properties.put("seckill.mysql.user", mysqlUser);
    properties.put("seckill.mysql.password", mysqlPassword);
    return properties;
  }
}
