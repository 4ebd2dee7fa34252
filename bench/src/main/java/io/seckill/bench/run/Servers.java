package io.seckill.bench.run;

import io.seckill.embedded.EmbeddedServers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Runs Redis, Kafka and MariaDB in its own process until standard input ends. */
public final class Servers {
  private Servers() {}

  /** Argument: the data directory, where the file of addresses is written once all are up. */
  public static void main(String[] args) throws IOException {
    EmbeddedServers servers =
        EmbeddedServers.start(new EmbeddedServers.Plan(Path.of(args[0]), 0, 0, 0, false));
    Runtime.getRuntime().addShutdownHook(new Thread(servers::close, "stop-servers"));
    servers.writeAddresses("none");
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }
}
