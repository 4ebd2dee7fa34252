package io.seckill.drill.lab;

import io.seckill.embedded.EmbeddedServer;
import java.nio.file.Path;

/** An embedded server with its own process: Redis or MariaDB. */
final class EmbeddedMachine implements Machine {
  private final EmbeddedServer server;
  private final Path directory;

  /**
   * @param directory the server's own directory, which contains its executable
   */
  EmbeddedMachine(EmbeddedServer server, Path directory) {
    this.server = server;
    this.directory = directory.toAbsolutePath().normalize();
  }

  @Override
  public String name() {
    return server.name();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public void kill() {
    server.stopHard();
  }

  @Override
  public long pid() {
    return ProcessHandle.allProcesses()
        .filter(
            handle ->
                handle
                    .info()
                    .command()
                    .filter(command -> Path.of(command).startsWith(directory))
                    .isPresent())
        .findFirst()
        .orElseThrow(() -> new LabException(name() + " does not run"))
        .pid();
  }

  @Override
  public boolean isRunning() {
    return server.isRunning();
  }
}
