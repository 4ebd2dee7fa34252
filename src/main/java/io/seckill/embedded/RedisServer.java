package io.seckill.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** The Redis that embedded-redis carries, with an append-only file that is synced each second. */
public final class RedisServer implements EmbeddedServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int PROBE_MILLIS = 1_000;

  private final Path directory;
  private final int preferredPort;
  private final List<String> more;
  private final ServerProcess process;
  private int port;

  /**
   * @param directory where data, configuration and log go; created when absent
   * @param preferredPort taken when free
   */
  public RedisServer(Path directory, int preferredPort) {
    this(directory, preferredPort, List.of());
  }

  /**
   * @param more lines for the configuration file
   */
  public RedisServer(Path directory, int preferredPort, List<String> more) {
    this.more = List.copyOf(more);
    this.directory = directory.toAbsolutePath().normalize();
    this.preferredPort = preferredPort;
    this.process = new ServerProcess(name(), this.directory);
  }

  @Override
  public String name() {
    return "Redis";
  }

  @Override
  public synchronized int port() {
    return port;
  }

  /** Address as {@code seckill.redis.uri} takes it. */
  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  @Override
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    try {
      Files.createDirectories(directory);
      process.replaceLeftBehind();
      if (port == 0) {
        port = Ports.choose(preferredPort);
      }
      Path configuration = directory.resolve("redis.conf");
      Files.writeString(configuration, configuration());
      process.start(List.of(executable().toString(), configuration.toString()), Map.of());
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot start Redis: " + e.getMessage(), e);
    }
    process.awaitReady(this::answers, START_LIMIT);
  }

  private String configuration() {
    return """
        bind 127.0.0.1
        port %d
        dir "%s"
        save ""
        appendonly yes
        appendfsync everysec
        maxmemory-policy noeviction
        tcp-backlog 511
        """
            .formatted(port, directory)
        + String.join("\n", more);
  }

  private Path executable() throws IOException {
    String resource = resource();
    Path file = directory.resolve("bin").resolve(resource.substring(1));
    if (Files.isExecutable(file)) {
      return file;
    }
    Files.createDirectories(file.getParent());
    Path part = Files.createTempFile(file.getParent(), "redis", ".part");
    try (InputStream in = ExecutableProvider.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw EmbeddedServerException.noBinary(name(), null);
      }
      Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!part.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + part + " executable");
    }
    return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private String resource() {
    try {
      String resource =
          ExecutableProvider.newProvidedVersionsMap().get(OsArchitecture.detectOSandArchitecture());
      if (resource == null) {
        throw EmbeddedServerException.noBinary(name(), null);
      }
      return resource;
    } catch (EmbeddedServerException e) {
      throw e;
    } catch (RuntimeException unknownPlatform) {
      throw EmbeddedServerException.noBinary(name(), unknownPlatform);
    }
  }

  /** PONG comes only once the append-only file is loaded. */
  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
      socket.setSoTimeout(PROBE_MILLIS);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readNBytes(5);
      return new String(reply, StandardCharsets.US_ASCII).equals("+PONG");
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public synchronized void stop() {
    process.stop();
  }

  @Override
  public synchronized void stopHard() {
    process.kill();
  }

  @Override
  public synchronized boolean isRunning() {
    return process.isAlive();
  }
}
