package io.seckill.testing;

import io.seckill.embedded.EmbeddedServer;
import io.seckill.embedded.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Redis, Apache Kafka and MySQL from their container images. Needs Docker. {@code
 * seckill.test.redis.image}, {@code .kafka.image} and {@code .mysql.image} name other images that
 * are started in the same way, as where no registry can be reached.
 */
final class ContainerTestServers extends TestServers {
  private static final DockerImageName REDIS_IMAGE = image("redis", "redis:7.4-alpine");
  private static final DockerImageName KAFKA_IMAGE = image("kafka", "apache/kafka:3.9.1");
  private static final DockerImageName MYSQL_IMAGE = image("mysql", "mysql:8.4");
  private static final int REDIS_PORT = 6379;
  private static final int KAFKA_PORT = 9092;

  private final ContainerServer redis;
  private final ContainerServer kafka;
  private final ContainerServer mysql;
  private final MySQLContainer database;

  private ContainerTestServers() {
    GenericContainer<?> redisContainer =
        new GenericContainer<>(REDIS_IMAGE)
            .withExposedPorts(REDIS_PORT)
            .withCommand("redis-server", "--appendonly", "yes", "--save", "");
    redis = new ContainerServer("Redis", redisContainer, REDIS_PORT);
    kafka = new ContainerServer("Kafka", new KafkaContainer(KAFKA_IMAGE), KAFKA_PORT);
    database = new MySQLContainer(MYSQL_IMAGE).withDatabaseName("seckill").withUsername("seckill");
    mysql = new ContainerServer("MySQL", database, MySQLContainer.MYSQL_PORT);
  }

  private static DockerImageName image(String server, String standard) {
    return DockerImageName.parse(System.getProperty("seckill.test." + server + ".image", standard))
        .asCompatibleSubstituteFor(DockerImageName.parse(standard));
  }

  /**
   * @throws IllegalStateException when there is no Docker
   */
  static TestServers start() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new IllegalStateException(
          "-Dseckill.test.backends=testcontainers needs a running Docker, and none was found. "
              + "Without the option the tests run on the embedded servers.");
    }
    ContainerTestServers servers = new ContainerTestServers();
    List<ContainerServer> all = List.of(servers.redis, servers.kafka, servers.mysql);
    all.forEach(server -> atEnd(server.container::stop));
    all.parallelStream().forEach(ContainerServer::start);
    // the image lets its user have one database only
    servers.administrate("GRANT ALL ON *.* TO " + servers.database.getUsername());
    return servers;
  }

  @Override
  public EmbeddedServer redis() {
    return redis;
  }

  @Override
  public EmbeddedServer kafka() {
    return kafka;
  }

  @Override
  public EmbeddedServer mysql() {
    return mysql;
  }

  /** The image gives its root the same password. */
  @Override
  public void administrate(String... statements) {
    try {
      administrateAs("root", database.getPassword(), statements);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Map<String, String> properties() {
    return Map.of(
        "seckill.redis.uri", "redis://" + redis.address(),
        "seckill.kafka.brokers", kafka.address(),
        "seckill.mysql.url", "jdbc:mysql://" + mysql.address() + "/seckill",
        "seckill.mysql.user", database.getUsername(),
        "seckill.mysql.password", database.getPassword());
  }

  /** A container on a host port of its own, which it keeps when it is stopped and started again. */
  private static final class ContainerServer implements EmbeddedServer {
    private static final int PROBE_MILLIS = 1_000;

    private final String name;
    private final GenericContainer<?> container;
    private final int port = Ports.free();
    private boolean running;

    ContainerServer(String name, GenericContainer<?> container, int innerPort) {
      this.name = name;
      this.container = container;
      container.setPortBindings(List.of(port + ":" + innerPort));
    }

    String address() {
      return container.getHost() + ":" + port;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int port() {
      return port;
    }

    @Override
    public synchronized void start() {
      if (running) {
        return;
      }
      if (container.getContainerId() == null) {
        container.start();
      } else {
        container.getDockerClient().startContainerCmd(container.getContainerId()).exec();
        Awaitility.await(name).atMost(120, TimeUnit.SECONDS).until(this::accepts);
      }
      running = true;
    }

    private boolean accepts() {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(container.getHost(), port), PROBE_MILLIS);
        socket.setSoTimeout(PROBE_MILLIS / 10);
        return !closedAtOnce(socket);
      } catch (IOException notYet) {
        return false;
      }
    }

    /** Docker's proxy accepts connections also while the server inside does not listen yet. */
    private static boolean closedAtOnce(Socket socket) throws IOException {
      try {
        return socket.getInputStream().read() < 0;
      } catch (SocketTimeoutException silent) {
        return false;
      }
    }

    @Override
    public synchronized void stop() {
      if (running) {
        container.getDockerClient().stopContainerCmd(container.getContainerId()).exec();
        running = false;
      }
    }

    @Override
    public synchronized void stopHard() {
      if (running) {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
        running = false;
      }
    }

    @Override
    public synchronized boolean isRunning() {
      return running;
    }
  }
}
