package io.seckill.bench.run;

import io.seckill.bench.baseline.Baseline;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A baseline of {@link Baseline} in its own JVM. */
final class HandWritten implements Contender {
  static final Set<String> NAMES =
      Set.of(
          Baseline.HAND_WRITTEN,
          Baseline.TUNED,
          Baseline.NAIVE,
          Baseline.CONDITIONAL,
          Baseline.PIPELINE);

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final long SALES_ARE_FOUND_AFTER_MILLIS = 600;

  private final String name;
  private final int port;
  private final Traits traits;
  private final Backends backends;
  private final JavaProcess process;

  private HandWritten(
      String name, int port, Traits traits, Backends backends, JavaProcess process) {
    this.name = name;
    this.port = port;
    this.traits = traits;
    this.backends = backends;
    this.process = process;
  }

  static HandWritten start(String name, Launch launch, Namespace namespace)
      throws IOException, InterruptedException, SQLException {
    Traits traits =
        switch (name) {
          case Baseline.NAIVE, Baseline.CONDITIONAL -> new Traits(false, true, 200);
          case Baseline.PIPELINE -> new Traits(true, true, 202);
          default -> new Traits(true, false, 202);
        };
    Backends backends = new Backends(namespace, LedgerScript.of(launch.product()));
    backends.migrate();
    int port = freePort();
    Map<String, String> properties = new HashMap<>(namespace.properties());
    JavaProcess process =
        JavaProcess.start(
            name,
            launch.toolsClasspath(),
            launch.flags(),
            properties,
            launch.directory(),
            Baseline.class.getName(),
            name,
            Integer.toString(port));
    process.awaitReady(() -> listens(port), START_LIMIT);
    return new HandWritten(name, port, traits, backends, process);
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void openSales(long firstProduct, int products, long stock)
      throws SQLException, InterruptedException {
    backends.preheat(firstProduct, products, stock);
    if (traits.books() && traits.persists()) {
      TimeUnit.MILLISECONDS.sleep(SALES_ARE_FOUND_AFTER_MILLIS);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Integer> ports() {
    return List.of(port);
  }

  @Override
  public List<JavaProcess> processes() {
    return List.of(process);
  }

  @Override
  public Backends backends() {
    return backends;
  }

  @Override
  public Traits traits() {
    return traits;
  }

  @Override
  public void close() throws SQLException {
    process.close();
    backends.close();
  }
}
