package io.seckill.drill.lab;

import io.seckill.drill.net.TcpProxy;
import io.seckill.embedded.KafkaServer;
import io.seckill.embedded.MariaDbServer;
import io.seckill.embedded.Ports;
import io.seckill.sql.OrderDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The servers of a drill and the network in front of them. Its own servers are processes that can
 * be broken, with data in a scratch folder. Of given servers only the network can be broken.
 */
public final class Lab implements AutoCloseable {
  private static final int SCHEMA_SECONDS = 30;
  private static final int SCHEMA_CONNECTIONS = 4;

  /** The application's time-outs for MySQL, scaled down. */
  private static final String MYSQL_TIMEOUTS =
      "sessionVariables=innodb_lock_wait_timeout=1,wait_timeout=8&socketTimeout=3000";

  private final Path scratch;
  private final Addresses direct;
  private final Addresses throughNetwork;
  private final Servers own;
  private final TcpProxy redisNetwork;
  private final TcpProxy kafkaNetwork;
  private final TcpProxy mysqlNetwork;
  private final Stores stores;
  private final List<Application> applications = new CopyOnWriteArrayList<>();
  private Sentinel sentinel;
  private final Thread atExit = new Thread(this::killAll, "lab-kill");

  private record Servers(RedisPair redis, Machine kafka, Machine mysql) {
    private List<Machine> all() {
      return List.of(redis.used(), kafka, mysql);
    }
  }

  private Lab(
      Path scratch,
      Addresses direct,
      Servers own,
      TcpProxy redisNetwork,
      TcpProxy kafkaNetwork,
      TcpProxy mysqlNetwork) {
    this.scratch = scratch;
    this.direct = direct;
    this.own = own;
    this.redisNetwork = redisNetwork;
    this.kafkaNetwork = kafkaNetwork;
    this.mysqlNetwork = mysqlNetwork;
    throughNetwork =
        new Addresses(
            through(direct.redisUri(), redisNetwork),
            kafkaNetwork == null ? direct.brokers() : "127.0.0.1:" + kafkaNetwork.port(),
            direct.kafkaLogin(),
            withTimeouts(through(direct.mysqlUrl(), mysqlNetwork)),
            direct.mysqlUser(),
            direct.mysqlPassword());
    stores = new Stores(direct);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** The address with the network's in the place of its host and port. */
  private static String through(String address, TcpProxy network) {
    return address.replaceFirst(
        "//(?<login>[^/@]*@)?[^/?]+", "//${login}127.0.0.1:" + network.port());
  }

  private static String withTimeouts(String url) {
    return url + (url.contains("?") ? "&" : "?") + MYSQL_TIMEOUTS;
  }

  /** Kills all processes when the drill is interrupted. */
  private void killAll() {
    applications.forEach(application -> application.machine().kill());
    if (own != null) {
      own.all().forEach(Machine::kill);
      own.redis().spare().kill();
    }
  }

  /** Starts servers of its own, on the data of the drill before. */
  public static Lab embedded(Path scratch) throws IOException {
    Path folder = Files.createDirectories(scratch.toAbsolutePath().normalize());
    RedisPair redis = new RedisPair(folder);
    MariaDbServer mariaDb = new MariaDbServer(folder.resolve("mariadb"), 0);
    AtomicInteger kafkaPort = new AtomicInteger(Ports.free());
    TcpProxy kafkaNetwork = new TcpProxy("127.0.0.1", kafkaPort.get());
    Machine kafka =
        new JavaMachine(
            "kafka",
            folder.resolve("logs"),
            KafkaProcess.READY,
            () -> {
              int port = kafkaPort.updateAndGet(Ports::choose);
              kafkaNetwork.target("127.0.0.1", port);
              return List.of(
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  String.join(java.io.File.pathSeparator, Classpath.all()),
                  KafkaProcess.class.getName(),
                  folder.resolve("kafka").toString(),
                  Integer.toString(port),
                  Integer.toString(kafkaNetwork.port()));
            });
    Servers servers =
        new Servers(redis, kafka, new EmbeddedMachine(mariaDb, folder.resolve("mariadb")));
    List<CompletableFuture<Void>> starts =
        servers.all().stream().map(server -> CompletableFuture.runAsync(server::start)).toList();
    try {
      starts.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      // a server that is still starting is stopped after its start
      starts.forEach(start -> start.handle((done, failure) -> null).join());
      servers.all().forEach(Machine::stop);
      kafkaNetwork.close();
      throw new LabException("The servers do not start", e.getCause());
    }
    Addresses direct =
        new Addresses(
            redis.uri(),
            "127.0.0.1:" + kafkaNetwork.port(),
            new KafkaServer(folder.resolve("kafka"), 0).login(),
            mariaDb.url(),
            mariaDb.user(),
            mariaDb.password());
    Lab lab =
        new Lab(
            folder,
            direct,
            servers,
            new TcpProxy("127.0.0.1", redis.port()),
            kafkaNetwork,
            new TcpProxy("127.0.0.1", mariaDb.port()));
    lab.forgetSalesOfABrokenOffDrill();
    return lab;
  }

  /** Their books may be lost, of which the nodes would warn in every run. */
  private void forgetSalesOfABrokenOffDrill() {
    makeSchema();
    try {
      stores.execute("DELETE FROM products WHERE id NOT IN (SELECT product_id FROM settlements)");
    } catch (SQLException e) {
      close();
      throw new LabException("The sales of an earlier drill cannot be removed", e);
    }
  }

  /** Uses given servers. They are never stopped or emptied. */
  public static Lab given(Path scratch, Addresses addresses) throws IOException {
    Path folder = Files.createDirectories(scratch.toAbsolutePath().normalize());
    URI redis = URI.create(addresses.redisUri());
    URI mysql = URI.create(addresses.mysqlUrl().substring("jdbc:".length()));
    return new Lab(
        folder,
        addresses,
        null,
        new TcpProxy(redis.getHost(), redis.getPort() < 0 ? 6379 : redis.getPort()),
        null,
        new TcpProxy(mysql.getHost(), mysql.getPort() < 0 ? 3306 : mysql.getPort()));
  }

  public Path scratch() {
    return scratch;
  }

  /** Whether servers can be killed, stopped and emptied. */
  public boolean ownsServers() {
    return own != null;
  }

  public Machine redis() {
    return own.redis().used();
  }

  /** The folder of the data of Redis. */
  public Path redisFolder() {
    return own.redis().folder();
  }

  /** Gives Redis a replica, which has all its data. */
  public void replicateRedis() {
    own.redis().replicate();
  }

  /** The replica follows no more, and falls behind. */
  public void leaveReplicaBehind() {
    own.redis().leaveBehind();
  }

  /**
   * The replica takes the place of Redis: new connections are led to it, open ones stay with the
   * one before, which is still there.
   *
   * @return the one before
   */
  public Machine promoteReplica() {
    own.redis().exchange();
    redisNetwork.target("127.0.0.1", own.redis().port());
    stores.redisIsAt(own.redis().uri());
    return own.redis().spare();
  }

  /**
   * Starts a replica of Redis and a Sentinel that watches both. Nodes that use it reach Redis
   * directly, not through {@link #redisNetwork}.
   *
   * @return its address
   */
  public synchronized String startSentinel() {
    try {
      sentinel = own.redis().watch(scratch.resolve("sentinel"));
      return sentinel.uri();
    } catch (IOException e) {
      throw new LabException("The Sentinel does not start", e);
    }
  }

  /** Ends the Sentinel, if there is one, and its replica. */
  public synchronized void stopSentinel() {
    if (sentinel != null) {
      sentinel.close();
      sentinel = null;
      own.redis().spare().kill();
    }
  }

  /** The replica that the Sentinel knows gets nothing any more, and falls behind. */
  public void cutReplicaOff() {
    own.redis().cutOff();
  }

  /** Whether the Sentinel has made the replica the master. */
  public boolean isReplicaMaster() {
    return own.redis().isReplicaMaster();
  }

  public Machine kafka() {
    return own.kafka();
  }

  public Machine mysql() {
    return own.mysql();
  }

  public TcpProxy redisNetwork() {
    return redisNetwork;
  }

  /** Empty with given servers, because Kafka tells its clients where to connect. */
  public Optional<TcpProxy> kafkaNetwork() {
    return Optional.ofNullable(kafkaNetwork);
  }

  public TcpProxy mysqlNetwork() {
    return mysqlNetwork;
  }

  public Stores stores() {
    return stores;
  }

  /** A node of the application, not started. */
  public Application application(Map<String, String> properties, List<Path> changedFiles) {
    Application application =
        new Application(this, "node-" + (applications.size() + 1), properties, changedFiles);
    applications.add(application);
    return application;
  }

  /** Makes the tables as the application does at its start, if they do not exist. */
  public void makeSchema() {
    new OrderDatabase(
            direct.mysqlUrl(),
            direct.mysqlUser(),
            direct.mysqlPassword(),
            SCHEMA_CONNECTIONS,
            "classpath:sql/team",
            Duration.ofSeconds(SCHEMA_SECONDS))
        .open()
        .close();
  }

  Addresses throughNetwork() {
    return throughNetwork;
  }

  /** Repairs every network and starts every server. */
  public void heal() {
    redisNetwork.heal();
    mysqlNetwork.heal();
    kafkaNetwork().ifPresent(TcpProxy::heal);
    if (own != null) {
      own.all().forEach(Machine::start);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    applications.forEach(application -> application.machine().stop());
    stopSentinel();
    stores.close();
    List<AutoCloseable> all = new ArrayList<>(List.of(redisNetwork, mysqlNetwork));
    kafkaNetwork().ifPresent(all::add);
    if (own != null) {
      own.all().forEach(server -> all.add(0, server::stop));
      all.add(0, own.redis().spare()::stop);
    }
    for (AutoCloseable one : all) {
      try {
        one.close();
      } catch (Exception e) {
        System.err.println("Not closed: " + e);
      }
    }
  }
}
