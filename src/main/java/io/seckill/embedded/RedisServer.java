package io.seckill.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/**
 * The Redis of embedded-redis, with an append-only file that is synced each second. It asks for a
 * password.
 */
public final class RedisServer extends ForkedServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int PROBE_MILLIS = 1_000;
  private static final String READY = "+OK\r\n+PONG";
  private static final String CONFIGURATION = "redis.conf";

  private final List<String> more;
  private String password;

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
    super("Redis", directory, preferredPort, START_LIMIT);
    this.more = List.copyOf(more);
  }

  /** Address as {@code seckill.redis.uri} takes it, with the password. */
  public String uri() {
    return "redis://:" + password() + "@127.0.0.1:" + port();
  }

  /** Made at the first start and kept with the data. */
  public synchronized String password() {
    return password;
  }

  @Override
  synchronized List<String> prepare() throws IOException {
    if (password == null) {
      password = PrivateFiles.secret(directory().resolve("password"));
    }
    PrivateFiles.write(settings(), configuration());
    return List.of(executable().toString(), CONFIGURATION);
  }

  @Override
  Path settings() {
    return directory().resolve(CONFIGURATION);
  }

  private String configuration() {
    return String.format(
            Locale.ROOT,
            """
        bind 127.0.0.1
        port %d
        requirepass %s
        dir .
        save ""
        appendonly yes
        appendfsync everysec
        maxmemory-policy noeviction
        tcp-backlog 511
        """,
            port(),
            password)
        + String.join("\n", more);
  }

  private Path executable() throws IOException {
    String resource = resource();
    Path file = directory().resolve("bin").resolve(resource.substring(1));
    if (Files.isExecutable(file)) {
      return file;
    }
    try (InputStream in = ExecutableProvider.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw EmbeddedServerException.noBinary(name(), null);
      }
      LinuxExecutable.unpack(in, file);
    }
    return file;
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

  /** Waits for PONG, which Redis sends only after it has loaded the append-only file. */
  @Override
  boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(Ports.onLoopback(port()), PROBE_MILLIS);
      socket.setSoTimeout(PROBE_MILLIS);
      socket
          .getOutputStream()
          .write(("AUTH " + password + "\r\nPING\r\n").getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readNBytes(READY.length());
      return new String(reply, StandardCharsets.US_ASCII).equals(READY);
    } catch (IOException notYet) {
      return false;
    }
  }
}
