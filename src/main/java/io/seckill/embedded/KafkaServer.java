package io.seckill.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka of one node, broker and controller, in this JVM, with few threads and little memory. It
 * asks for a password.
 */
public final class KafkaServer implements EmbeddedServer {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaServer.class);
  private static final int NODE = 1;

  /** The listener of clients, under which broker properties name its address and security. */
  public static final String CLIENTS = "CLIENTS";

  private static final String CONTROLLER = "CONTROLLER";
  private static final String USER = "seckill";
  private static final String PROTOCOL = "SASL_PLAINTEXT";
  private static final String MECHANISM = "PLAIN";
  private static final String LOGIN_MODULE =
      "org.apache.kafka.common.security.plain.PlainLoginModule";

  /** For Kafka's own tools. */
  private static final String CLIENT_FILE = "client.properties";

  /** Counts for all brokers in this JVM, because Kafka does not tell which one gives up. */
  private static final AtomicLong FATAL_ERRORS = new AtomicLong();

  private final Path directory;
  private final int preferredPort;
  private final Map<String, String> overrides;
  private volatile int port;
  private volatile String password;
  private KafkaRaftServer server;
  private Path link;
  private long fatalErrorsBefore;

  /**
   * @param directory where logs and metadata go; created and formatted when absent
   * @param preferredPort taken when free
   */
  public KafkaServer(Path directory, int preferredPort) {
    this(directory, preferredPort, Map.of());
  }

  /**
   * @param overrides broker properties that differ from the embedded server's
   */
  public KafkaServer(Path directory, int preferredPort, Map<String, String> overrides) {
    this.directory = directory.toAbsolutePath().normalize();
    this.preferredPort = preferredPort;
    this.overrides = Map.copyOf(overrides);
  }

  @Override
  public String name() {
    return "Kafka";
  }

  @Override
  public int port() {
    return port;
  }

  /** Chooses port and password, so that clients can be told of both while the broker starts. */
  synchronized void claim() {
    if (port == 0) {
      port = Ports.choose(preferredPort);
    }
    password();
  }

  /** Address as {@code seckill.kafka.brokers} takes it. */
  public String brokers() {
    return "127.0.0.1:" + port();
  }

  /**
   * How a client logs in, under the names that external mode reads. The password is made when it is
   * first asked for and kept with the data.
   */
  public Map<String, String> login() {
    return Map.of(
        "seckill.kafka.security-protocol", PROTOCOL,
        "seckill.kafka.sasl-mechanism", MECHANISM,
        "seckill.kafka.sasl-jaas-config", loginModule() + ";");
  }

  private String loginModule() {
    return LOGIN_MODULE + " required username=\"" + USER + "\" password=\"" + password() + "\"";
  }

  private String password() {
    String known = password;
    return known == null ? readPassword() : known;
  }

  private synchronized String readPassword() {
    try {
      Files.createDirectories(directory);
      password = PrivateFiles.secret(directory.resolve("password"));
      return password;
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot write to " + directory + ": " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    stop();
    surviveFatalErrors();
    fatalErrorsBefore = FATAL_ERRORS.get();
    claim();
    Properties properties;
    try {
      Files.createDirectories(logs());
      PrivateFiles.write(
          directory.resolve(CLIENT_FILE),
          "security.protocol="
              + PROTOCOL
              + "\nsasl.mechanism="
              + MECHANISM
              + "\nsasl.jaas.config="
              + loginModule()
              + ";\n");
      if (!isFormatted()) {
        format();
      }
      properties = properties(Ports.free());
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot start Kafka: " + e.getMessage(), e);
    }
    KafkaRaftServer starting = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
    try {
      starting.startup();
    } catch (RuntimeException e) {
      starting.shutdown();
      throw new EmbeddedServerException("Cannot start Kafka: " + e.getMessage(), e);
    }
    server = starting;
  }

  private Path logs() {
    return directory.resolve("logs");
  }

  private boolean isFormatted() {
    return Files.exists(logs().resolve("meta.properties"));
  }

  /**
   * Looks for the mark that Kafka writes when it closes its logs and removes when it opens them.
   */
  private boolean wasKilled() {
    return isFormatted() && !Files.exists(logs().resolve(".kafka_cleanshutdown"));
  }

  /**
   * Makes a link without a comma to the logs, because Kafka reads a comma as the end of a folder's
   * name.
   */
  private String logsWithoutComma() throws IOException {
    String path = logs().toString();
    if (!path.contains(",")) {
      return path;
    }
    if (link == null) {
      link = Files.createTempDirectory("seckill-kafka").resolve("logs");
      Files.createSymbolicLink(link, logs());
    }
    return link.toString();
  }

  private Properties properties(int controllerPort) throws IOException {
    Properties p = new Properties();
    if (wasKilled()) {
      // the controller accepts this broker when the session of the killed one has expired, and the
      // broker asks again at the interval of its heartbeats
      p.setProperty("broker.session.timeout.ms", "1000");
      p.setProperty("broker.heartbeat.interval.ms", "250");
    }
    p.setProperty("process.roles", "broker,controller");
    p.setProperty("node.id", Integer.toString(NODE));
    p.setProperty("controller.quorum.voters", NODE + "@127.0.0.1:" + controllerPort);
    String clients = CLIENTS + "://127.0.0.1:" + port;
    p.setProperty("controller.listener.names", CONTROLLER);
    p.setProperty("listeners", clients + "," + CONTROLLER + "://127.0.0.1:" + controllerPort);
    p.setProperty("advertised.listeners", clients);
    p.setProperty("inter.broker.listener.name", CLIENTS);
    p.setProperty(
        "listener.security.protocol.map",
        CLIENTS + ":" + PROTOCOL + "," + CONTROLLER + ":" + PROTOCOL);
    p.setProperty("sasl.enabled.mechanisms", MECHANISM);
    p.setProperty("sasl.mechanism.inter.broker.protocol", MECHANISM);
    p.setProperty("sasl.mechanism.controller.protocol", MECHANISM);
    for (String listener : List.of(CLIENTS, CONTROLLER)) {
      p.setProperty(
          "listener.name." + listener.toLowerCase(Locale.ROOT) + ".plain.sasl.jaas.config",
          loginModule() + " user_" + USER + "=\"" + password() + "\";");
    }
    p.setProperty("auto.create.topics.enable", "false");
    p.setProperty("log.dirs", logsWithoutComma());
    // one node has the only replica of everything
    p.setProperty("default.replication.factor", "1");
    p.setProperty("offsets.topic.replication.factor", "1");
    p.setProperty("offsets.topic.num.partitions", "4");
    p.setProperty("transaction.state.log.replication.factor", "1");
    p.setProperty("transaction.state.log.min.isr", "1");
    p.setProperty("transaction.state.log.num.partitions", "4");
    // a group of one process does not wait for more members
    p.setProperty("group.initial.rebalance.delay.ms", "0");
    p.setProperty("num.network.threads", "2");
    p.setProperty("num.io.threads", "4");
    p.setProperty("background.threads", "2");
    p.setProperty("num.recovery.threads.per.data.dir", "2");
    p.setProperty("num.replica.alter.log.dirs.threads", "1");
    p.setProperty("log.cleaner.threads", "1");
    p.setProperty("log.cleaner.dedupe.buffer.size", Integer.toString(8 * 1024 * 1024));
    p.setProperty("log.segment.bytes", Integer.toString(256 * 1024 * 1024));
    p.setProperty("controlled.shutdown.max.retries", "1");
    overrides.forEach(p::setProperty);
    return p;
  }

  private void format() throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      new Formatter()
          .setPrintStream(new PrintStream(output, true, StandardCharsets.UTF_8))
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(NODE)
          .setControllerListenerName(CONTROLLER)
          .setMetadataLogDirectory(logs().toString())
          .setDirectories(List.of(logs().toString()))
          .run();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new EmbeddedServerException(
          "Cannot format "
              + logs()
              + " for Kafka: "
              + e.getMessage()
              + output.toString(StandardCharsets.UTF_8),
          e);
    }
  }

  /** Keeps a fatal error of the broker from ending this JVM. */
  private static void surviveFatalErrors() {
    Exit.Procedure tell =
        (statusCode, message) -> {
          LOG.debug("Kafka gave up (status {}): {}", statusCode, message);
          FATAL_ERRORS.incrementAndGet();
        };
    Exit.setExitProcedure(tell);
    Exit.setHaltProcedure(tell);
  }

  @Override
  public synchronized void stop() {
    if (server != null) {
      server.shutdown();
      server.awaitShutdown();
      server = null;
    }
    if (link != null) {
      try {
        Files.delete(link);
        Files.delete(link.getParent());
      } catch (IOException e) {
        LOG.warn("Cannot delete {}: {}", link, e.toString());
      }
      link = null;
    }
  }

  /** The same as {@link #stop}, because a broker in this JVM cannot be killed. */
  @Override
  public synchronized void stopHard() {
    stop();
  }

  @Override
  public synchronized boolean isRunning() {
    return server != null && !hasFailed();
  }

  @Override
  public synchronized boolean hasFailed() {
    return server != null && FATAL_ERRORS.get() > fatalErrorsBefore;
  }
}
