package io.seckill.bench.run;

import io.lettuce.core.RedisURI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * One contender's part of the shared servers: a Redis database, a MySQL schema, Kafka topics and
 * consumer groups. So no contender relays, writes or counts the orders of another.
 *
 * @param name of topics, groups and schema
 * @param redisUri with the number of the database
 */
record Namespace(
    String name,
    String redisUri,
    String brokers,
    String mysqlUrl,
    String mysqlUser,
    String mysqlPassword) {

  /**
   * @param addresses as the embedded servers write them
   * @param number of the Redis database
   */
  static Namespace of(Properties addresses, String name, int number) {
    RedisURI redis = RedisURI.create(addresses.getProperty("seckill.redis.uri"));
    String url = addresses.getProperty("seckill.mysql.url");
    return new Namespace(
        name,
        "redis://" + redis.getHost() + ":" + redis.getPort() + "/" + number,
        addresses.getProperty("seckill.kafka.brokers"),
        url.substring(0, url.lastIndexOf('/') + 1) + "seckill_" + name,
        addresses.getProperty("seckill.mysql.user"),
        addresses.getProperty("seckill.mysql.password"));
  }

  String schema() {
    return mysqlUrl.substring(mysqlUrl.lastIndexOf('/') + 1);
  }

  /** The properties of external mode. */
  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.backends", "external");
    properties.put("seckill.redis.uri", redisUri);
    properties.put("seckill.kafka.brokers", brokers);
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
