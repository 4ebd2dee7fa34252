package io.seckill.book;

/**
 * The Redis keys of one product's book. All have the hash tag {@code {productId}}, so a script that
 * touches them runs on one Redis Cluster slot.
 */
public final class BookKeys {
  /** The channel on which scripts tell all nodes about returned units and changed sales. */
  public static final String EVENTS = "seckill:events";

  /** All channels of the application, as a pattern of Redis. */
  public static final String CHANNELS = "seckill:*";

  private BookKeys() {}

  public static String sale(long productId) {
    return "seckill:{" + productId + "}:sale";
  }

  public static String users(long productId) {
    return "seckill:{" + productId + "}:users";
  }

  public static String outbox(long productId) {
    return "seckill:{" + productId + "}:outbox";
  }

  /** A sorted set: the ids of users with a PENDING reservation, scored by reservation time (ms). */
  public static String pending(long productId) {
    return "seckill:{" + productId + "}:pending";
  }

  /**
   * The channel on which scripts publish the entries of purchases that have ended, one a line, as
   * they stand in {@link #users}.
   */
  public static String ends(long productId) {
    return "seckill:{" + productId + "}:ends";
  }

  /** The product of a key or channel. */
  public static long productOf(String key) {
    return Long.parseLong(key, key.indexOf('{') + 1, key.indexOf('}'), 10);
  }

  /** The keys every script gets as KEYS[1..4]: sale, users, outbox, pending. */
  public static String[] all(long productId) {
    return new String[] {sale(productId), users(productId), outbox(productId), pending(productId)};
  }
}
