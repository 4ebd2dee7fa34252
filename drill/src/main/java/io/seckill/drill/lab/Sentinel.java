package io.seckill.drill.lab;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.seckill.embedded.Ports;
import io.seckill.embedded.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * One Sentinel, whose word alone counts: when the master is gone for a second, it makes the replica
 * the master.
 */
public final class Sentinel implements AutoCloseable {
  private static final String GROUP = "seckill";
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long POLL_NANOS = 50_000_000;

  private final Process process;
  private final Thread atExit;
  private final int port;
  private final String password;

  private Sentinel(Process process, int port, String password) {
    this.process = process;
    this.port = port;
    this.password = password;
    atExit = new Thread(process::destroyForcibly, "sentinel-kill");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts one beside a master that has a replica, and returns when it knows the replica.
   *
   * @param folder for its files
   * @param masterFolder the folder of the master, which has the executable
   * @throws LabException when it learns of no replica
   */
  public static Sentinel start(Path folder, RedisServer master, Path masterFolder)
      throws IOException {
    int port = Ports.free();
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("sentinel.conf"),
        String.format(
            Locale.ROOT,
            """
        port %d
        bind 127.0.0.1
        sentinel monitor %s 127.0.0.1 %d 1
        sentinel auth-pass %s %s
        sentinel down-after-milliseconds %s 1000
        sentinel failover-timeout %s 3000
        """,
            port,
            GROUP,
            master.port(),
            GROUP,
            master.password(),
            GROUP,
            GROUP));
    Process process =
        new ProcessBuilder(executable(masterFolder).toString(), "sentinel.conf", "--sentinel")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sentinel.log").toFile())
            .start();
    Sentinel sentinel = new Sentinel(process, port, master.password());
    try {
      sentinel.awaitReplica();
    } catch (LabException e) {
      sentinel.close();
      throw e;
    }
    return sentinel;
  }

  private static Path executable(Path masterFolder) throws IOException {
    try (Stream<Path> files = Files.list(masterFolder.resolve("bin"))) {
      return files.filter(Files::isExecutable).findFirst().orElseThrow().toAbsolutePath();
    }
  }

  private void awaitReplica() {
    RedisClient client = RedisClient.create();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!knowsReplica(client)) {
        if (System.nanoTime() > deadline) {
          throw new LabException("The Sentinel learns of no replica");
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private boolean knowsReplica(RedisClient client) {
    try (StatefulRedisSentinelConnection<String, String> connection =
        client.connectSentinel(RedisURI.create("127.0.0.1", port))) {
      return !connection.sync().slaves(GROUP).isEmpty();
    } catch (RedisException e) {
      // it is still starting
      return false;
    }
  }

  /** The group's address, as the application takes it. */
  public String uri() {
    return "redis-sentinel://:" + password + "@127.0.0.1:" + port + "/0#" + GROUP;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
