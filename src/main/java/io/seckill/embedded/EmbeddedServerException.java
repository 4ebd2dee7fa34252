package io.seckill.embedded;

/** An embedded server could not start. The message says which, why, and what to do. */
public final class EmbeddedServerException extends RuntimeException {
  public EmbeddedServerException(String message) {
    super(message);
  }

  public EmbeddedServerException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The exception on a machine for which there is no binary. */
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
