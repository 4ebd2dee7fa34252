package io.seckill.embedded;

/**
 * A server that this application starts for itself. It keeps its port and data over {@link #stop}
 * and {@link #start}, so that a test can stop it in the middle of a sale and start it again.
 */
public interface EmbeddedServer {
  /** The server's name in messages: Redis, Kafka or MariaDB. */
  String name();

  /** The TCP port on 127.0.0.1; fixed from the first start on. */
  int port();

  /**
   * Starts the server and returns once it answers. Does nothing when it runs.
   *
   * @throws EmbeddedServerException when it does not answer in time
   */
  void start();

  /** Stops the server in its own order, without loss of data. Does nothing when stopped. */
  void stop();

  /** Stops the server, if possible without letting it write anything more. */
  void stopHard();

  boolean isRunning();

  /**
   * Whether the server ended by itself, for example on a full disk; {@link #start} starts it again.
   */
  default boolean hasFailed() {
    return false;
  }
}
