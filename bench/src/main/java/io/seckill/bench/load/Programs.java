package io.seckill.bench.load;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Finds and runs programs of this machine that the benchmark uses if they are installed. */
public final class Programs {
  private Programs() {}

  /** Finds a program on the PATH. */
  public static Optional<Path> find(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Runs a command and returns its output.
   *
   * @throws IOException when it fails, or takes longer than the limit and is ended
   */
  public static String output(List<String> command, Duration limit)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("bench", ".out");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(file.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    try {
      boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      String output = Files.readString(file, StandardCharsets.UTF_8);
      if (!ended) {
        throw new IOException(command.get(0) + " did not end within " + limit);
      }
      if (process.exitValue() != 0) {
        throw new IOException(command.get(0) + " failed: " + output);
      }
      return output;
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(file);
    }
  }
}
