package io.seckill.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs what a document shows, as bash does for whoever types it. */
public record Shell(Path directory) {
  private static final int LIMIT_SECONDS = 240;

  /** What a command printed, without carriage returns and blank lines at its end. */
  public record Result(int exitCode, String printed) {}

  /** Runs lines one after another. */
  public Result run(List<String> lines) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-c", String.join("\n", lines))
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("Still running: " + lines);
    }
    return new Result(process.exitValue(), printed.replace("\r", "").strip());
  }
}
