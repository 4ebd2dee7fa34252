package io.seckill.embedded;

/** An embedded server could not be started; the message says which, why, and what to do instead. */
public final class EmbeddedServerException extends RuntimeException {
  public EmbeddedServerException(String message) {
    super(message);
  }

  public EmbeddedServerException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The answer on a machine that none of the servers' binaries was built for. */
  static EmbeddedServerException noBinary(String server, Throwable cause) {
    return new EmbeddedServerException(
        "There is no embedded "
            + server
            + " for "
            + System.getProperty("os.name")
            + " on "
            + System.getProperty("os.arch")
            + ". Run your own servers and set seckill.backends=external, seckill.redis.uri, seckill.kafka.brokers,"
            + " seckill.mysql.url, seckill.mysql.user, seckill.mysql.password and seckill.admin.token.",
        cause);
  }
}
