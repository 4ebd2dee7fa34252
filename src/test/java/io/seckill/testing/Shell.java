package io.seckill.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs what a document shows, as bash does for whoever types it.
 *
 * @param directory where it is typed
 * @param environment variables beside those of this process
 * @param limit what takes longer is killed, with all processes it has started
 */
public record Shell(Path directory, Map<String, String> environment, Duration limit) {
  private static final Duration LIMIT = Duration.ofMinutes(4);

  /** What a command printed, without carriage returns and blank lines at its end. */
  public record Result(int exitCode, String printed) {}

  public Shell(Path directory) {
    this(directory, Map.of(), LIMIT);
  }

  /** The same with one more variable. */
  public Shell environment(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(environment);
    more.put(name, value);
    return new Shell(directory, more, limit);
  }

  /** The same with another limit. */
  public Shell limit(Duration other) {
    return new Shell(directory, environment, other);
  }

  /**
   * Runs lines one after another. What they write to their standard error is left out.
   *
   * @throws IllegalStateException with what was printed so far, when they take longer than the
   *     limit
   */
  public Result run(List<String> lines) throws IOException, InterruptedException {
    return run(lines, false);
  }

  /** Runs lines one after another, and takes their standard error with what they print. */
  public Result runWithErrors(List<String> lines) throws IOException, InterruptedException {
    return run(lines, true);
  }

  private Result run(List<String> lines, boolean withErrors)
      throws IOException, InterruptedException {
    // a file: a process that outlives the lines would keep a pipe open
    Path printed = Files.createTempFile("shell", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder("bash", "-c", String.join("\n", lines))
              .directory(directory.toFile())
              .redirectOutput(printed.toFile());
      if (withErrors) {
        builder.redirectErrorStream(true);
      } else {
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
      }
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        kill(process);
        throw new IllegalStateException(
            lines + " runs longer than " + limit.toSeconds() + " s. So far: " + text(printed));
      }
      return new Result(process.exitValue(), text(printed));
    } finally {
      Files.delete(printed);
    }
  }

  private static void kill(Process process) throws InterruptedException {
    List<ProcessHandle> tree =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    tree.forEach(ProcessHandle::destroyForcibly);
    process.waitFor();
  }

  private static String text(Path printed) throws IOException {
    return Files.readString(printed, StandardCharsets.UTF_8).replace("\r", "").strip();
  }
}
