package io.seckill.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/** A server that runs in a process of its own, from an executable in its own directory. */
abstract class ForkedServer implements EmbeddedServer {
  /** Tells of the last start: the port, and a hash of the command and of the settings. */
  private static final String STARTED = "started";

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

  /** The file that {@link #prepare} writes and the server reads at its start. */
  abstract Path settings();

  /** Whether the server takes requests. Returns within seconds. */
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
      if (port == 0 && takesOver()) {
        return;
      }
      process.endLeftBehind();
      if (port == 0) {
        port = Ports.choose(preferredPort);
      }
      List<String> command = prepare();
      process.start(command);
      Files.write(directory.resolve(STARTED), startOf(command));
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot start " + name + ": " + e.getMessage(), e);
    }
    process.awaitReady(this::answers, startLimit);
  }

  /**
   * Goes on with the server that a killed application left behind, if it answers and is just the
   * one that would be started now.
   */
  private boolean takesOver() throws IOException {
    List<ProcessHandle> leftBehind = process.leftBehind();
    Path started = directory.resolve(STARTED);
    if (leftBehind.size() != 1 || !Files.exists(started)) {
      return false;
    }
    List<String> earlier = Files.readAllLines(started);
    if (earlier.isEmpty() || !earlier.get(0).matches("[0-9]{1,5}")) {
      return false;
    }
    port = Integer.parseInt(earlier.get(0));
    if ((preferredPort == 0 || preferredPort == port)
        && startOf(prepare()).equals(earlier)
        && answers()) {
      process.takeOver(leftBehind.get(0));
      return true;
    }
    port = 0;
    return false;
  }

  private List<String> startOf(List<String> command) throws IOException {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      hash.update(String.join("\0", command).getBytes(StandardCharsets.UTF_8));
      hash.update(Files.readAllBytes(settings()));
      return List.of(Integer.toString(port), HexFormat.of().formatHex(hash.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
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
