package io.seckill.bench.run;

import io.seckill.tools.ArgumentFile;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM for a contender or the servers. It ends when it is closed, or when the benchmark ends. */
final class JavaProcess implements AutoCloseable {
  private static final Pattern HEAP_USED = Pattern.compile("used (\\d+)K");
  private static final int LOG_TAIL_LINES = 20;
  private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");

  private final String name;
  private final Path log;
  private final Process process;
  private final Thread atExit;

  private JavaProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.atExit = new Thread(process::destroy, "end-" + name);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * @param classpath as {@code java -cp} takes it
   * @param flags of the JVM, heap and collector among them; &#123;name} stands for the name
   * @param properties system properties
   * @param directory working directory, also for logs
   */
  static JavaProcess start(
      String name,
      String classpath,
      List<String> flags,
      Map<String, String> properties,
      Path directory,
      String mainClass,
      String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>();
    flags.forEach(flag -> all.add(flag.replace("{name}", name)));
    properties.forEach((key, value) -> all.add("-D" + key + "=" + value));
    all.add("-cp");
    all.add(classpath);
    all.add(mainClass);
    all.addAll(List.of(arguments));
    Files.createDirectories(directory);
    String argument = ArgumentFile.write(directory.resolve(name + ".arguments"), all);
    File log = directory.resolve(name + ".log").toFile();
    Process process =
        new ProcessBuilder(BIN.resolve("java").toString(), argument)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    return new JavaProcess(name, log.toPath(), process);
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  /**
   * @throws IOException when the process ends, or the probe is still false after the limit; the
   *     message holds the last lines of its log
   */
  void awaitReady(BooleanSupplier probe, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!probe.getAsBoolean()) {
      if (!process.isAlive()) {
        throw new IOException(name + " ended at its start:\n" + lastLines());
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(name + " is not ready after " + limit + ":\n" + lastLines());
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /**
   * @throws IOException when it has ended
   */
  void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(name + " ended:\n" + lastLines());
    }
  }

  /** Resident memory in bytes; 0 when the platform does not tell. */
  long residentBytes() throws IOException {
    Path status = Path.of("/proc", Long.toString(pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElse(0);
  }

  /** Live bytes of the heap after a full collection; 0 when jcmd does not tell. */
  long liveHeapBytes() throws IOException, InterruptedException {
    jcmd("GC.run");
    Matcher used = HEAP_USED.matcher(jcmd("GC.heap_info"));
    return used.find() ? Long.parseLong(used.group(1)) * 1024 : 0;
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(BIN.resolve("jcmd").toString(), Long.toString(pid()), command)
            .redirectErrorStream(true)
            .start();
    String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jcmd.waitFor(30, TimeUnit.SECONDS);
    return output;
  }

  private String lastLines() throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
  }

  /** Closes its input, sends SIGTERM, and SIGKILL after 30 s. */
  @Override
  public void close() {
    try (OutputStream input = process.getOutputStream()) {
      input.flush();
    } catch (IOException alreadyClosed) {
      process.destroy();
    }
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    if (!Thread.currentThread().equals(atExit)) {
      removeHook();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException shutdownHasBegun) {
      process.destroy();
    }
  }
}
