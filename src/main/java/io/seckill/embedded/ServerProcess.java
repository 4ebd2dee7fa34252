package io.seckill.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server in its own process. Its executable is in the server's directory, so the next start can
 * recognise processes that a killed application left behind.
 */
final class ServerProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
  private static final Duration GRACE = Duration.ofSeconds(60);
  private static final int LOG_TAIL_LINES = 15;
  private static final Pattern ERROR =
      Pattern.compile("error|fatal|no space|cannot open", Pattern.CASE_INSENSITIVE);
  private static final long POLL_MILLIS = 20;

  private final String name;
  private final Path directory;
  private final Path logFile;
  private ProcessHandle process;

  /**
   * @param directory the server's own directory, which contains its executable
   */
  ServerProcess(String name, Path directory) {
    this.name = name;
    this.directory = directory;
    this.logFile = directory.resolve("server.log");
  }

  /**
   * The processes whose executable is in this directory. To the application that may use the
   * directory, and has not started its own, they are those that an earlier run left behind.
   */
  List<ProcessHandle> leftBehind() throws IOException {
    Path home = directory.toRealPath();
    return ProcessHandle.allProcesses().filter(handle -> runsFrom(home, handle)).toList();
  }

  /** Ends every process that was left behind, and waits for its end. */
  void endLeftBehind() throws IOException {
    for (ProcessHandle handle : leftBehind()) {
      LOG.info("Stopping {} (pid {}), left behind by an earlier run", name, handle.pid());
      end(handle);
    }
  }

  /** Goes on with a process that was left behind. */
  void takeOver(ProcessHandle leftBehind) {
    LOG.info("Going on with {} (pid {}), left behind by an earlier run", name, leftBehind.pid());
    process = leftBehind;
  }

  private static boolean runsFrom(Path home, ProcessHandle handle) {
    return handle.info().command().filter(command -> Path.of(command).startsWith(home)).isPresent();
  }

  /**
   * Starts the command in the server's folder and in its own session, so that Ctrl-C reaches only
   * the application, which then stops the server.
   */
  void start(List<String> command) {
    process = launch(command, ProcessBuilder.Redirect.from(new File("/dev/null"))).toHandle();
  }

  /**
   * Runs one of the server's commands and waits for its end.
   *
   * @param input the command's standard input
   * @throws EmbeddedServerException with the command's error message when it fails
   */
  void run(List<String> command, Path input) {
    Process installation = launch(command, ProcessBuilder.Redirect.from(input.toFile()));
    process = installation.toHandle();
    try {
      if (installation.waitFor() != 0) {
        throw new EmbeddedServerException("Cannot install " + name + ": " + lastWords());
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
      throw new EmbeddedServerException("Interrupted while " + name + " was being installed", e);
    }
  }

  private Process launch(List<String> command, ProcessBuilder.Redirect input) {
    List<String> line = new ArrayList<>();
    setsid().ifPresent(line::add);
    line.addAll(command);
    try {
      return new ProcessBuilder(line)
          .directory(directory.toFile())
          .redirectInput(input)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.to(logFile.toFile()))
          .start();
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  private static Optional<String> setsid() {
    return List.of("/usr/bin/setsid", "/bin/setsid").stream()
        .filter(path -> Files.isExecutable(Path.of(path)))
        .findFirst();
  }

  /**
   * Waits until the probe succeeds. When the process ends or takes too long, the exception has its
   * error message.
   */
  void awaitReady(BooleanSupplier probe, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!probe.getAsBoolean()) {
      if (!process.isAlive()) {
        throw new EmbeddedServerException(name + " ended during its start: " + lastWords());
      }
      if (System.nanoTime() > deadline) {
        throw new EmbeddedServerException(
            name + " does not answer after " + limit.toSeconds() + " s: " + lastWords());
      }
      pause();
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedServerException("Interrupted while " + name + " was starting", e);
    }
  }

  /** Among the last lines of its log, the first with an error, else the last. */
  private String lastWords() {
    List<String> lines;
    try {
      lines = Files.readAllLines(logFile, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "its log " + logFile + " cannot be read: " + e.getMessage();
    }
    List<String> last =
        lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()).stream()
            .filter(line -> !line.isBlank())
            .toList();
    return last.stream()
        .filter(line -> ERROR.matcher(line).find())
        .findFirst()
        .or(() -> last.stream().reduce((earlier, later) -> later))
        .map(line -> line.strip() + " (" + logFile + ")")
        .orElse("its log is empty");
  }

  /** Asks the process to end (SIGTERM), and kills it after a minute. */
  void stop() {
    if (process != null) {
      end(process);
      process = null;
    }
  }

  /** SIGKILL. */
  void kill() {
    if (process != null) {
      process.destroyForcibly();
      awaitEnd(process, GRACE);
      process = null;
    }
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Whether the process ended by itself. */
  boolean hasFailed() {
    return process != null && !process.isAlive();
  }

  private void end(ProcessHandle handle) {
    handle.destroy();
    if (!awaitEnd(handle, GRACE)) {
      LOG.warn(
          "{} (pid {}) did not end within {} s: killing it", name, handle.pid(), GRACE.toSeconds());
      handle.destroyForcibly();
      awaitEnd(handle, GRACE);
    }
  }

  private boolean awaitEnd(ProcessHandle handle, Duration limit) {
    try {
      handle.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new EmbeddedServerException("Cannot wait for the end of " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
