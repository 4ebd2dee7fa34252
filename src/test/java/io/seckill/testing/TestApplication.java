package io.seckill.testing;

import io.seckill.SeckillApplication;
import io.seckill.embedded.Ports;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;

/**
 * The application inside the test's JVM, in external mode on {@link TestServers}, with HTTP and
 * management on free ports. Several may run side by side, as nodes on the same servers.
 */
public final class TestApplication implements AutoCloseable {
  private static final String ADMIN_TOKEN = "test-admin-token";

  private static TestApplication shared;

  private final SeckillApplication application;
  private final int httpPort;
  private final int managementPort;

  private TestApplication(SeckillApplication application, int httpPort, int managementPort) {
    this.application = application;
    this.httpPort = httpPort;
    this.managementPort = managementPort;
  }

  /**
   * Starts one more application and returns once it takes requests. In minimal mode it gets the
   * addresses that this mode needs, MySQL's alone.
   *
   * @param overrides properties that differ from application.properties
   */
  public static TestApplication start(Map<String, String> overrides) {
    int httpPort = Ports.free();
    int managementPort = Ports.free();
    Map<String, String> properties = new LinkedHashMap<>(TestServers.get().properties());
    properties.put("seckill.backends", "external");
    // the scan for Java routes would take those that tests hold
    properties.put("camel.main.javaRoutesExcludePattern", "**/*IT,**/*IT$*,**/*Test,**/*Test$*");
    properties.put("seckill.admin.token", ADMIN_TOKEN);
    properties.put("seckill.http.host", "127.0.0.1");
    properties.put("seckill.http.port", Integer.toString(httpPort));
    properties.put("seckill.management.port", Integer.toString(managementPort));
    properties.putAll(overrides);
    if ("minimal".equals(properties.get("seckill.mode"))) {
      properties.keySet().removeAll(List.of("seckill.redis.uri", "seckill.kafka.brokers"));
    }
    try {
      return new TestApplication(SeckillApplication.start(properties), httpPort, managementPort);
    } catch (Exception e) {
      throw new IllegalStateException("The application does not start", e);
    }
  }

  /**
   * Starts one that shares the servers but no data with others: with a database, a Redis database
   * and topics of its own. For what is a property of a whole installation, such as its strategy.
   *
   * @param name of lower-case letters
   * @param redisDatabase 1 to 15, of no other test
   */
  public static TestApplication apart(
      String name, int redisDatabase, Map<String, String> overrides) {
    Map<String, String> properties = new LinkedHashMap<>(apart(name, redisDatabase));
    properties.putAll(overrides);
    return start(properties);
  }

  /** Properties for a database, a Redis database and topics of its own on the servers. */
  public static Map<String, String> apart(String name, int redisDatabase) {
    Map<String, String> servers = TestServers.get().properties();
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.redis.uri", servers.get("seckill.redis.uri") + "/" + redisDatabase);
    properties.put("seckill.mysql.url", TestServers.get().urlApart(name));
    properties.put("seckill.orders.topic", "seckill.orders." + name);
    properties.put("seckill.dead-letters.topic", "seckill.orders." + name + ".dlq");
    properties.put("seckill.writer.group", "seckill-writer-" + name);
    properties.put("seckill.dead-letters.group", "seckill-dead-letters-" + name);
    return properties;
  }

  /** The application with default properties that tests share; it runs until the JVM ends. */
  public static synchronized TestApplication shared() {
    if (shared == null) {
      shared = start(Map.of()).awaitReady();
      TestServers.atEnd(shared);
    }
    return shared;
  }

  /** Waits until the application says that it can take orders. */
  public TestApplication awaitReady() {
    Health.awaitUp(managementUrl());
    return this;
  }

  /** Where buyers and administrators ask, without a slash at the end. */
  public String baseUrl() {
    return "http://127.0.0.1:" + httpPort;
  }

  /** Where health and metrics are, without a slash at the end. */
  public String managementUrl() {
    return "http://127.0.0.1:" + managementPort;
  }

  public String adminToken() {
    return ADMIN_TOKEN;
  }

  /** A client of this application. */
  public Shop shop() {
    return new Shop(baseUrl(), ADMIN_TOKEN);
  }

  public CamelContext camelContext() {
    return application.camelContext();
  }

  /** The only bean of a type. */
  public <T> T bean(Class<T> type) {
    return camelContext().getRegistry().findSingleByType(type);
  }

  @Override
  public void close() {
    application.close();
  }
}
