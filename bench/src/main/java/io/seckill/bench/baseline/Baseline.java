package io.seckill.bench.baseline;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.seckill.kafka.ClientSecurity;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Runs one baseline in its own process until standard input ends. It reads addresses from the same
 * system properties as the application.
 */
public final class Baseline {
  /** (a) */
  public static final String HAND_WRITTEN = "hand-written";

  /** (a2) */
  public static final String TUNED = "tuned";

  /** (b) */
  public static final String NAIVE = "naive";

  /** (c) */
  public static final String CONDITIONAL = "conditional";

  /** (e) */
  public static final String PIPELINE = "pipeline";

  private static final int WORKERS = 32;
  private static final int BATCH = 1000;

  private Baseline() {}

  /** Arguments: the baseline's name, its port. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    int port = Integer.parseInt(args[1]);
    int loops = Integer.getInteger("bench.loops", Runtime.getRuntime().availableProcessors());
    String redis = System.getProperty("seckill.redis.uri");
    switch (args[0]) {
      case HAND_WRITTEN -> new HandWrittenServer(redis, false).start(port, loops);
      case TUNED -> new HandWrittenServer(redis, true).start(port, loops);
      case NAIVE -> new PerRequestServer(database(WORKERS), false).start(port, loops);
      case CONDITIONAL -> new PerRequestServer(database(WORKERS), true).start(port, loops);
      case PIPELINE -> pipeline(redis, port, loops);
      default -> throw new IllegalArgumentException("no baseline " + args[0]);
    }
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static void pipeline(String redis, int port, int loops)
      throws InterruptedException, ExecutionException {
    String topic = System.getProperty("seckill.orders.topic");
    int partitions = Integer.getInteger("bench.pipeline.partitions", 4);
    int writers = Integer.getInteger("bench.pipeline.writers", 2);
    try (Admin admin = Admin.create(kafka())) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
    HikariDataSource database = new HikariDataSource(database(writers + 1));
    Map<String, Object> producer = kafka();
    producer.put("acks", "all");
    producer.put("enable.idempotence", true);
    producer.put("linger.ms", 1);
    producer.put("batch.size", 128 * 1024);
    Map<String, Object> consumer = kafka();
    consumer.put("group.id", "hand-written-writer");
    consumer.put("enable.auto.commit", false);
    consumer.put("auto.offset.reset", "earliest");
    consumer.put("max.poll.records", BATCH);
    start(new PipelineRelay(redis, database, producer, topic), "relay");
    for (int i = 0; i < writers; i++) {
      start(new PipelineWriter(redis, database, consumer, topic), "writer-" + i);
    }
    new HandWrittenServer(redis, true).start(port, loops);
  }

  /** What every client of Kafka needs. */
  private static Map<String, Object> kafka() {
    Map<String, Object> options = ClientSecurity.of(System::getProperty);
    options.put("bootstrap.servers", System.getProperty("seckill.kafka.brokers"));
    return options;
  }

  /** A thread whose failure ends the process, so that the benchmark sees it. */
  private static void start(Runnable job, String name) {
    Thread thread = new Thread(job, name);
    thread.setUncaughtExceptionHandler(
        (failed, failure) -> {
          System.err.println(failed.getName() + " stopped: " + failure);
          failure.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
    thread.start();
  }

  private static HikariConfig database(int connections) {
    HikariConfig config = new HikariConfig();
    String url = System.getProperty("seckill.mysql.url");
    config.setJdbcUrl(
        url
            + (url.contains("?") ? "&" : "?")
            + "rewriteBatchedStatements=true&useServerPrepStmts=false");
    config.setUsername(System.getProperty("seckill.mysql.user"));
    config.setPassword(System.getProperty("seckill.mysql.password"));
    config.setMaximumPoolSize(connections);
    return config;
  }
}
