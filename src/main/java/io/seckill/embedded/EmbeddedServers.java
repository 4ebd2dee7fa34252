package io.seckill.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers that an application runs for itself, under one data directory, which one application
 * may use at a time.
 *
 * <p>A later start on the same directory finds all data again. Redis and MariaDB that a killed
 * application left behind go on, if they answer and are as they would be started now; otherwise it
 * stops them, in good order, and starts them again.
 */
public final class EmbeddedServers implements AutoCloseable {
  /**
   * The file in the data directory with addresses and passwords, as properties of external mode.
   */
  public static final String ADDRESS_FILE = "embedded.properties";

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServers.class);

  private static final long MEGABYTE = 1024 * 1024;

  /** MariaDB's log takes 256 MB, its other files and its executable 80. */
  private static final long NEEDED_AT_FIRST = 400 * MEGABYTE;

  private static final long NEEDED_LATER = 32 * MEGABYTE;
  private static final int LOOK_SECONDS = 1;
  private static final int STOP_LIMIT_SECONDS = 60;

  private final ScheduledExecutorService keeper =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "embedded-servers-keeper");
            thread.setDaemon(true);
            return thread;
          });

  private final ExecutorService starters =
      Executors.newCachedThreadPool(task -> new Thread(task, "embedded-server-start"));

  private final Map<EmbeddedServer, Future<?>> starts = new LinkedHashMap<>();

  /** Servers that have ended by themselves and are still down. */
  private final Set<EmbeddedServer> failed = new HashSet<>();

  private final Path directory;
  private final FileChannel lockFile;
  private final RedisServer redis;
  private final KafkaServer kafka;
  private final MariaDbServer mariaDb;

  private EmbeddedServers(
      Path directory,
      FileChannel lockFile,
      RedisServer redis,
      KafkaServer kafka,
      MariaDbServer mariaDb) {
    this.directory = directory;
    this.lockFile = lockFile;
    this.redis = redis;
    this.kafka = kafka;
    this.mariaDb = mariaDb;
  }

  /**
   * What to start.
   *
   * @param directory the data directory, created when absent
   * @param redisPort preferred port, 0 for any
   * @param kafkaPort preferred port, 0 for any
   * @param mysqlPort preferred port, 0 for any
   * @param databaseOnly true to start only MariaDB
   */
  public record Plan(
      Path directory, int redisPort, int kafkaPort, int mysqlPort, boolean databaseOnly) {
    private List<String> libraries() {
      List<String> names = new ArrayList<>(SharedLibraries.OF_MARIADB);
      if (!databaseOnly) {
        names.addAll(SharedLibraries.OF_REDIS);
      }
      return names;
    }
  }

  /**
   * Whether the libraries with the servers are on the classpath. The packaged application lacks
   * them.
   */
  public static boolean areOnClasspath() {
    return Stream.of(
            "/redis/embedded/RedisServer.class",
            "/kafka/server/KafkaRaftServer.class",
            MariaDbServer.RESOURCE)
        .allMatch(name -> EmbeddedServers.class.getResource(name) != null);
  }

  /**
   * Starts the servers in parallel and returns when all answer. If one fails, stops the others.
   *
   * @throws EmbeddedServerException when another application uses the directory, a server does not
   *     start, or there is no binary for this platform
   */
  public static EmbeddedServers start(Plan plan) {
    EmbeddedServers servers = begin(plan);
    servers.awaitStarted();
    return servers;
  }

  /**
   * The same, but returns when all but Kafka answer, which takes longest: after a kill its
   * controller waits for the session of the broker before. {@link #awaitStarted} waits for it.
   */
  public static EmbeddedServers begin(Plan plan) {
    Path directory = plan.directory().toAbsolutePath().normalize();
    requireExpressible(directory);
    if (LinuxExecutable.runsHere()) {
      SharedLibraries.require(plan.libraries());
    }
    FileChannel lockFile = lock(directory);
    EmbeddedServers servers =
        new EmbeddedServers(
            directory,
            lockFile,
            plan.databaseOnly()
                ? null
                : new RedisServer(directory.resolve("redis"), plan.redisPort()),
            plan.databaseOnly()
                ? null
                : new KafkaServer(directory.resolve("kafka"), plan.kafkaPort()),
            new MariaDbServer(directory.resolve("mariadb"), plan.mysqlPort()));
    try {
      Files.deleteIfExists(servers.addressFile());
      servers.requireRoom();
      servers.beginAll();
      return servers;
    } catch (IOException e) {
      servers.close();
      throw new EmbeddedServerException("Cannot write to " + directory + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  /**
   * Refuses a directory whose name the locale's character set cannot express, because Java cannot
   * open its files.
   */
  private static void requireExpressible(Path directory) {
    String characters = System.getProperty("sun.jnu.encoding");
    if (!Charset.forName(characters).newEncoder().canEncode(directory.toString())) {
      throw new EmbeddedServerException(
          "The locale's character set, "
              + characters
              + ", cannot express the name of the data directory "
              + directory
              + ": set LC_ALL=C.UTF-8, or set seckill.data-dir.");
    }
  }

  private static FileChannel lock(Path directory) {
    FileChannel channel = null;
    try {
      Files.createDirectories(directory);
      closeToOthers(directory);
      channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
      channel.close();
    } catch (OverlappingFileLockException sameJvm) {
      closeQuietly(channel);
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot use " + directory + " as data directory: " + e, e);
    }
    throw new EmbeddedServerException(
        "Another application runs on the data directory "
            + directory
            + ": stop it, or set seckill.data-dir.");
  }

  /** Whoever could read the files would need no password. */
  private static void closeToOthers(Path directory) {
    try {
      PrivateFiles.close(directory);
    } catch (IOException e) {
      LOG.warn(
          "Others may read {}, which is not this user's to close: {}", directory, e.toString());
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("Cannot close the lock file: {}", e.toString());
    }
  }

  private void requireRoom() throws IOException {
    long needed = mariaDb.isInstalled() ? NEEDED_LATER : NEEDED_AT_FIRST;
    if (free() < needed) {
      throw new EmbeddedServerException(
          "The embedded servers need "
              + needed / MEGABYTE
              + " MB, but "
              + room()
              + ": make room there, or set seckill.data-dir.");
    }
  }

  private long free() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  private String room() {
    try {
      return free() / MEGABYTE + " MB are free on the disk of " + directory;
    } catch (IOException e) {
      return "the disk of " + directory + " cannot be asked: " + e.getMessage();
    }
  }

  /** Starts servers again that were killed or whose disk was full. */
  private void startFailedAgain() {
    for (EmbeddedServer server : all()) {
      if (server.hasFailed()) {
        if (failed.add(server)) {
          LOG.error(
              "{} has ended by itself, and {}: it starts again as soon as possible",
              server.name(),
              room());
        }
        try {
          server.start();
          failed.remove(server);
          LOG.info("{} is up again on 127.0.0.1:{}", server.name(), server.port());
        } catch (RuntimeException e) {
          LOG.debug("{} does not start yet", server.name(), e);
        }
      }
    }
  }

  private void beginAll() {
    if (kafka != null) {
      kafka.claim();
    }
    for (EmbeddedServer server : all()) {
      starts.put(server, starters.submit(() -> startOne(server)));
    }
    starters.shutdown();
    awaitStarts(all().stream().filter(server -> server != kafka).toList());
  }

  /**
   * Returns when all servers answer, those included that {@link #begin} has left starting. If one
   * fails, stops the others. From then on servers that end by themselves are started again.
   *
   * @throws EmbeddedServerException when a server does not start
   */
  public void awaitStarted() {
    try {
      awaitStarts(all());
      keeper.scheduleWithFixedDelay(
          this::startFailedAgain, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void awaitStarts(List<EmbeddedServer> servers) {
    EmbeddedServerException failure = null;
    for (EmbeddedServer server : servers) {
      failure = awaitStart(starts.get(server), failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void startOne(EmbeddedServer server) {
    long begin = System.nanoTime();
    server.start();
    LOG.info(
        "{} is up on 127.0.0.1:{} after {} ms",
        server.name(),
        server.port(),
        (System.nanoTime() - begin) / 1_000_000);
  }

  private static EmbeddedServerException awaitStart(
      Future<?> start, EmbeddedServerException earlier) {
    EmbeddedServerException failure;
    try {
      start.get();
      return earlier;
    } catch (ExecutionException e) {
      failure =
          e.getCause() instanceof EmbeddedServerException known
              ? known
              : new EmbeddedServerException(
                  "An embedded server failed at its start: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = new EmbeddedServerException("Interrupted while embedded servers were starting", e);
    }
    if (earlier != null) {
      earlier.addSuppressed(failure);
      return earlier;
    }
    return failure;
  }

  private List<EmbeddedServer> all() {
    return redis == null ? List.of(mariaDb) : List.of(redis, kafka, mariaDb);
  }

  /** Empty when the plan has the database only. */
  public Optional<RedisServer> redis() {
    return Optional.ofNullable(redis);
  }

  /** Empty when the plan has the database only. */
  public Optional<KafkaServer> kafka() {
    return Optional.ofNullable(kafka);
  }

  public MariaDbServer mariaDb() {
    return mariaDb;
  }

  /** Addresses and passwords, under the property names of external mode. */
  public Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    if (redis != null) {
      properties.put("seckill.redis.uri", redis.uri());
      properties.put("seckill.kafka.brokers", kafka.brokers());
      properties.putAll(new TreeMap<>(kafka.login()));
    }
    properties.put("seckill.mysql.url", mariaDb.url());
    properties.put("seckill.mysql.user", mariaDb.user());
    properties.put("seckill.mysql.password", mariaDb.password());
    return properties;
  }

  /**
   * Writes {@link #properties} and the admin token to {@link #ADDRESS_FILE}, readable only by the
   * owner.
   */
  public void writeAddresses(String adminToken) {
    StringBuilder text =
        new StringBuilder(
            "# Where the embedded servers are, and their passwords, as properties of external mode.\n");
    properties().forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    text.append("seckill.admin.token=").append(adminToken).append('\n');
    Path file = addressFile();
    try {
      PrivateFiles.write(file, text.toString());
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The admin token of this data directory: random, made once, readable only by the owner.
   *
   * @throws EmbeddedServerException when its file cannot be read or written
   */
  public String adminToken() {
    Path file = adminTokenFile();
    try {
      return PrivateFiles.secret(file);
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot use " + file + ": " + e.getMessage(), e);
    }
  }

  /** The file that holds {@link #adminToken}. */
  public Path adminTokenFile() {
    return directory.resolve("admin-token");
  }

  /** The file that {@link #writeAddresses} writes. */
  public Path addressFile() {
    return directory.resolve(ADDRESS_FILE);
  }

  /** Stops all servers in parallel and releases the directory. */
  @Override
  public void close() {
    keeper.shutdownNow();
    starters.shutdown();
    try {
      // no server comes up after the others have stopped
      if (!keeper.awaitTermination(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)
          || !starters.awaitTermination(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("A server is still starting");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Thread> stops = all().stream().map(EmbeddedServers::stopInBackground).toList();
    try {
      for (Thread stop : stops) {
        stop.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("Interrupted while embedded servers were stopping");
    }
    closeQuietly(lockFile);
  }

  private static Thread stopInBackground(EmbeddedServer server) {
    Thread thread =
        new Thread(
            () -> {
              try {
                server.stop();
              } catch (RuntimeException e) {
                LOG.error("Cannot stop {}", server.name(), e);
              }
            },
            "embedded-server-stop");
    thread.start();
    return thread;
  }
}
