package io.seckill.redis;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.seckill.book.AdmissionGuard;
import io.seckill.book.BookExaminer;
import io.seckill.book.BookVerifier;
import io.seckill.embedded.RedisServer;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A real Redis for tests, and what a node has to talk to it. */
public final class Redis {
  private Redis() {}

  /** A server for one test that does it harm; stopped with the JVM at the latest. */
  public static RedisServer own() {
    try {
      Path target = Files.createDirectories(Path.of("target", "redis"));
      RedisServer server = new RedisServer(Files.createTempDirectory(target, "server"), 0);
      server.start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::stopHard));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A node on the Redis that tests share. */
  public static Node node() {
    return node(settings(TestServers.get().redisUri()), BookVerifier.trusting());
  }

  public static Node node(RedisSettings settings, BookVerifier verifier) {
    return new Node(settings, verifier);
  }

  /** Time-outs that a loaded machine keeps. */
  public static RedisSettings settings(String uri) {
    return new RedisSettings(
        uri,
        "",
        "",
        RedisCertificates.NONE,
        Duration.ofSeconds(20),
        Duration.ofSeconds(20),
        Duration.ofSeconds(20),
        Duration.ofSeconds(60),
        Duration.ofMillis(200));
  }

  public static final class Node implements AutoCloseable {
    public final RedisConnections connections;
    public final AdmissionGuard guard = new AdmissionGuard();
    final CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
    public final ScriptRunner scripts;
    final BookExaminer examiner;

    private Node(RedisSettings settings, BookVerifier verifier) {
      connections = new RedisConnections(settings);
      scripts =
          new ScriptRunner(
              connections, guard, breakers, Redis.class.getClassLoader()::getResourceAsStream);
      examiner = new BookExaminer(guard, scripts::book, () -> verifier);
    }

    public Node ready() throws InterruptedException {
      if (!scripts.awaitConnected(Duration.ofSeconds(60))) {
        throw new IllegalStateException("Redis is not reached");
      }
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(guard::isExamined);
      return this;
    }

    @Override
    public void close() {
      examiner.close();
      connections.close();
    }
  }
}
