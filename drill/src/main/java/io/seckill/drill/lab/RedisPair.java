package io.seckill.drill.lab;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.embedded.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Two servers of Redis: the one in use, and one that can become its replica and take its place. */
final class RedisPair {
  /** Also when it is killed and the disk is slow: its answers wait for the disk. */
  private static final List<String> KEEPS_WHAT_IT_ACKNOWLEDGED = List.of("appendfsync always");

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long POLL_NANOS = 20_000_000;

  private record One(RedisServer server, Path folder, Machine machine) {
    private static One in(Path folder) {
      RedisServer server = new RedisServer(folder, 0, KEEPS_WHAT_IT_ACKNOWLEDGED);
      return new One(server, folder, new EmbeddedMachine(server, folder));
    }
  }

  private One used;
  private One spare;

  RedisPair(Path folder) {
    used = One.in(folder.resolve("redis"));
    spare = One.in(folder.resolve("redis-2"));
  }

  synchronized Machine used() {
    return used.machine();
  }

  synchronized Machine spare() {
    return spare.machine();
  }

  synchronized Path folder() {
    return used.folder();
  }

  synchronized String uri() {
    return used.server().uri();
  }

  synchronized int port() {
    return used.server().port();
  }

  /** Starts the spare one as a replica, which has all that the used one has. */
  synchronized void replicate() {
    try {
      Files.createDirectories(spare.folder());
      Files.copy(
          used.folder().resolve("password"),
          spare.folder().resolve("password"),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new LabException("No password for the replica", e);
    }
    spare.machine().start();
    on(
        spare,
        redis -> {
          redis.configSet("masterauth", used.server().password());
          redis.replicaof("127.0.0.1", used.server().port());
          await(redis, "master_link_status:up");
        });
  }

  private static void await(RedisCommands<String, String> redis, String replication) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!redis.info("replication").contains(replication)) {
      if (System.nanoTime() > deadline) {
        throw new LabException("The replica does not come to " + replication);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** From here on the replica follows no more: it is behind, and writable. */
  synchronized void leaveBehind() {
    on(spare, RedisCommands::replicaofNoOne);
  }

  /** From here on the replica gets nothing: it cannot log in to the used one any more. */
  synchronized void cutOff() {
    on(spare, redis -> redis.configSet("masterauth", "wrong"));
    on(used, redis -> redis.clientKill(KillArgs.Builder.typeSlave()));
    on(spare, redis -> await(redis, "master_link_status:down"));
  }

  /** Whether the replica is a master by now. */
  synchronized boolean isReplicaMaster() {
    boolean[] master = new boolean[1];
    on(spare, redis -> master[0] = redis.info("replication").contains("role:master"));
    return master[0];
  }

  /** Starts a Sentinel that watches both; the spare one is a replica. */
  synchronized Sentinel watch(Path folder) throws IOException {
    replicate();
    return Sentinel.start(folder, used.server(), used.folder());
  }

  /** The spare one is the used one now. */
  synchronized void exchange() {
    One before = used;
    used = spare;
    spare = before;
  }

  private interface Step {
    void on(RedisCommands<String, String> redis);
  }

  private static void on(One one, Step step) {
    RedisURI uri = RedisURI.create(one.server().uri());
    uri.setTimeout(PATIENCE);
    RedisClient client = RedisClient.create(uri);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      step.on(connection.sync());
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }
}
