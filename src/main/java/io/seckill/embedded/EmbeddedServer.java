package io.seckill.embedded;

/**
 * A server that this application starts for itself. It keeps its port and its data over {@link
 * #stop} and {@link #start}, so a test can take it away in the middle of a sale and give it back.
 */
public interface EmbeddedServer {
  /** The server's name in messages: Redis, Kafka or MariaDB. */
  String name();

  /** The TCP port on 127.0.0.1; fixed from the first start on. */
  int port();

  /**
   * Starts and returns once the server answers. Does nothing when it runs.
   *
   * @throws EmbeddedServerException when it does not answer in time
   */
  void start();

  /** Stops in the server's own order, losing nothing. Does nothing when stopped. */
  void stop();

  /** Stops without giving the server a chance to write anything more, where that is possible. */
  void stopHard();

  boolean isRunning();

  /** Whether it ended though nobody stopped it, as when its disk is full; {@link #start} is due. */
  default boolean hasFailed() {
    return false;
  }
}
