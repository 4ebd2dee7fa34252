package io.seckill.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Chooses TCP ports on the loopback interface. */
public final class Ports {
  /**
   * Below the range of ports for outgoing connections, so that a stopped server finds its port free
   * again.
   */
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 1_000;

  private Ports() {}

  /** The preferred port, or another free one when it is taken or 0. */
  public static int choose(int preferred) {
    return preferred > 0 && isFree(preferred) ? preferred : free();
  }

  /** A free port outside the range that the operating system assigns by itself. */
  public static int free() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new EmbeddedServerException(
        "No free TCP port found between " + LOWEST + " and " + HIGHEST + " on 127.0.0.1.");
  }

  /**
   * A port of 127.0.0.1, where the embedded servers listen. Java's own loopback address is ::1 when
   * IPv6 is preferred.
   */
  static InetSocketAddress onLoopback(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }

  /** Whether a server can listen on this port of 127.0.0.1 now. */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(onLoopback(port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
