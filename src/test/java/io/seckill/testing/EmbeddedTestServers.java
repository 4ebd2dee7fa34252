package io.seckill.testing;

import io.seckill.embedded.EmbeddedServer;
import io.seckill.embedded.EmbeddedServerException;
import io.seckill.embedded.EmbeddedServers;
import java.nio.file.Path;
import java.util.Map;

/**
 * The embedded servers, under {@code target/test-servers}; binaries and system tables stay for the
 * next run.
 */
final class EmbeddedTestServers extends TestServers {
  private static final int JVMS_SIDE_BY_SIDE = 8;

  private final EmbeddedServers servers;

  private EmbeddedTestServers(EmbeddedServers servers) {
    this.servers = servers;
  }

  static TestServers start() {
    EmbeddedTestServers started = new EmbeddedTestServers(startOnFreeDirectory());
    atEnd(started.servers);
    started.empty();
    return started;
  }

  private static EmbeddedServers startOnFreeDirectory() {
    EmbeddedServerException inUse = null;
    for (int i = 1; i <= JVMS_SIDE_BY_SIDE; i++) {
      try {
        return EmbeddedServers.start(
            new EmbeddedServers.Plan(
                Path.of("target", "test-servers", "jvm-" + i), 0, 0, 0, false));
      } catch (EmbeddedServerException e) {
        if (!e.getMessage().startsWith("Another application")) {
          throw e;
        }
        inUse = e;
      }
    }
    throw inUse;
  }

  @Override
  public EmbeddedServer redis() {
    return servers.redis().orElseThrow();
  }

  @Override
  public EmbeddedServer kafka() {
    return servers.kafka().orElseThrow();
  }

  @Override
  public EmbeddedServer mysql() {
    return servers.mariaDb();
  }

  @Override
  public Map<String, String> properties() {
    return servers.properties();
  }
}
