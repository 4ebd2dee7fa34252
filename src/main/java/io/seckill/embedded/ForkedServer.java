package io.seckill.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server that runs in a process of its own, from an executable in its own directory. */
abstract class ForkedServer implements EmbeddedServer {
  private final String name;
  private final Path directory;
  private final int preferredPort;
  private final Duration startLimit;
  private final ServerProcess process;
  private int port;

  /**
   * @param directory where executable, data and log go; created when absent
   * @param preferredPort taken when free
   * @param startLimit how long a start may take
   */
  ForkedServer(String name, Path directory, int preferredPort, Duration startLimit) {
    this.name = name;
    this.directory = directory.toAbsolutePath().normalize();
    this.preferredPort = preferredPort;
    this.startLimit = startLimit;
    this.process = new ServerProcess(name, this.directory);
  }

  /** Writes what the server needs before a start, and returns the command that starts it. */
  abstract List<String> prepare() throws IOException;

  /** Whether the server takes requests. */
  abstract boolean answers();

  final Path directory() {
    return directory;
  }

  final ServerProcess process() {
    return process;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final synchronized int port() {
    return port;
  }

  @Override
  public final synchronized void start() {
    if (isRunning()) {
      return;
    }
    try {
      Files.createDirectories(directory);
      process.replaceLeftBehind();
      if (port == 0) {
        port = Ports.choose(preferredPort);
      }
      process.start(prepare());
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot start " + name + ": " + e.getMessage(), e);
    }
    process.awaitReady(this::answers, startLimit);
  }

  @Override
  public final synchronized void stop() {
    process.stop();
  }

  @Override
  public final synchronized void stopHard() {
    process.kill();
  }

  @Override
  public final synchronized boolean isRunning() {
    return process.isAlive();
  }

  @Override
  public final synchronized boolean hasFailed() {
    return process.hasFailed();
  }
}
