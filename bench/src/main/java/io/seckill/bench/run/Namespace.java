package io.seckill.bench.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * One contender's part of the shared servers: a Redis database, a MySQL schema, Kafka topics and
 * consumer groups. So no contender relays, writes or counts the orders of another.
 *
 * @param name of topics, groups and schema
 * @param redisUri with the number of the database
 * @param kafkaLogin properties of the application by which its clients log in to Kafka
 */
record Namespace(
    String name,
    String redisUri,
    String brokers,
    Map<String, String> kafkaLogin,
    String mysqlUrl,
    String mysqlUser,
    String mysqlPassword) {
  private static final String BROKERS = "seckill.kafka.brokers";

  /**
   * @param addresses as the embedded servers write them
   * @param number of the Redis database
   */
  static Namespace of(Properties addresses, String name, int number) {
    String url = addresses.getProperty("seckill.mysql.url");
    return new Namespace(
        name,
        addresses.getProperty("seckill.redis.uri") + "/" + number,
        addresses.getProperty(BROKERS),
        kafkaLogin(addresses),
        url.substring(0, url.lastIndexOf('/') + 1) + "seckill_" + name,
        addresses.getProperty("seckill.mysql.user"),
        addresses.getProperty("seckill.mysql.password"));
  }

  private static Map<String, String> kafkaLogin(Properties addresses) {
    Map<String, String> login = new LinkedHashMap<>();
    for (String name : addresses.stringPropertyNames()) {
      if (name.startsWith("seckill.kafka.") && !name.equals(BROKERS)) {
        login.put(name, addresses.getProperty(name));
      }
    }
    return login;
  }

  String schema() {
    return mysqlUrl.substring(mysqlUrl.lastIndexOf('/') + 1);
  }

  /** The properties of external mode. */
  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.backends", "external");
    properties.put("seckill.redis.uri", redisUri);
    properties.put(BROKERS, brokers);
    properties.putAll(kafkaLogin);
    properties.put("seckill.mysql.url", mysqlUrl);
    properties.put("seckill.mysql.user", mysqlUser);
    properties.put("seckill.mysql.password", mysqlPassword);
    properties.put("seckill.orders.topic", name + ".orders");
    properties.put("seckill.dead-letters.topic", name + ".dead-letters");
    properties.put("seckill.writer.group", name + "-writer");
    properties.put("seckill.dead-letters.group", name + "-dead-letters");
    return properties;
  }
}
