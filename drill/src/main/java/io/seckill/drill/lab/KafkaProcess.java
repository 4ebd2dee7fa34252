package io.seckill.drill.lab;

import io.seckill.embedded.KafkaServer;
import java.nio.file.Path;
import java.util.Map;

/** The embedded Kafka in a JVM of its own, so that it can be killed. */
public final class KafkaProcess {
  static final String READY = "Kafka is up";

  private KafkaProcess() {}

  /**
   * @param args data directory, port, the port that clients are told
   */
  public static void main(String[] args) {
    KafkaServer server =
        new KafkaServer(
            Path.of(args[0]),
            Integer.parseInt(args[1]),
            Map.of(
                "advertised.listeners",
                KafkaServer.CLIENTS + "://127.0.0.1:" + args[2],
                "group.min.session.timeout.ms",
                "1000"));
    Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
    try {
      server.start();
    } catch (RuntimeException e) {
      // threads that Kafka leaves behind would keep this JVM alive
      e.printStackTrace();
      System.exit(1);
    }
    if (server.port() != Integer.parseInt(args[1])) {
      System.err.println(JavaMachine.TAKEN + ": " + args[1]);
      System.exit(1);
    }
    System.out.println(READY);
  }
}
