package io.seckill.drill.lab;

import io.seckill.tools.ArgumentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A JVM: the application, or Kafka. */
public final class JavaMachine implements Machine {
  private static final int LIMIT_SECONDS = 120;
  private static final long POLL_NANOS = 20_000_000;

  /** A port that was free when it was chosen may be taken when the machine listens. */
  private static final int ATTEMPTS = 5;

  /** What the system says of such a port. */
  static final String TAKEN = "Address already in use";

  private final String name;
  private final Path logFolder;
  private final String ready;
  private final Supplier<List<String>> arguments;
  private Process process;
  private int starts;

  /**
   * @param logFolder folder in which each start writes its output to a new file
   * @param ready text in the output that shows that the machine answers
   * @param arguments of the java command, asked for at each attempt to start
   */
  JavaMachine(String name, Path logFolder, String ready, Supplier<List<String>> arguments) {
    this.name = name;
    this.logFolder = logFolder;
    this.ready = ready;
    this.arguments = arguments;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    for (int attempt = 1; !comesUp(); attempt++) {
      if (attempt == ATTEMPTS || !output().contains(TAKEN)) {
        throw new LabException(name + " ended at its start: " + output());
      }
    }
  }

  /** Starts; returns false when it ends before it is up. */
  private boolean comesUp() {
    launch();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!output().contains(ready)) {
      if (!process.isAlive()) {
        return output().contains(ready);
      }
      if (System.nanoTime() > deadline) {
        throw new LabException(name + " is not up after " + LIMIT_SECONDS + " s: " + output());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /** Starts and returns at once. */
  public synchronized void launch() {
    starts++;
    try {
      Files.createDirectories(logFolder);
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  ArgumentFile.write(logFolder.resolve(name + ".arguments"), arguments.get()))
              .redirectErrorStream(true)
              .redirectOutput(log().toFile())
              .start();
    } catch (IOException e) {
      throw new LabException("Cannot start " + name, e);
    }
  }

  /** The file with the output of the last start. */
  public synchronized Path log() {
    return logFolder.resolve(name + "-" + starts + ".log");
  }

  public String output() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      throw new LabException("Cannot read what " + name + " wrote", e);
    }
  }

  @Override
  public synchronized void stop() {
    if (process != null) {
      process.destroy();
      awaitEnd();
    }
  }

  @Override
  public synchronized void kill() {
    if (process != null) {
      process.destroyForcibly();
      awaitEnd();
    }
  }

  /** Waits for the end of the process. */
  public boolean awaitEnd() {
    try {
      if (process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      process.destroyForcibly();
      throw new LabException(name + " does not end");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LabException("Interrupted", e);
    }
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public synchronized boolean isRunning() {
    return process != null && process.isAlive();
  }
}
