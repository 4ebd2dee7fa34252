package io.seckill.domain;

/**
 * One reservation on its way from the outbox to MySQL: the value of a Kafka record on {@code
 * seckill.orders}, as JSON.
 *
 * @param v version of this format, 1
 * @param idemKey the client's key, without product and user
 * @param outboxId id of the outbox entry ({@code milliseconds-sequence} of Redis's clock)
 * @param resent how many times the sweeper has sent it again
 */
public record OrderRecord(
    int v,
    String requestId,
    long productId,
    long userId,
    int quantity,
    String idemKey,
    long epoch,
    String outboxId,
    int resent) {

  public static final int VERSION = 1;

  /**
   * {@code productId:userId:clientKey}. It keeps users from colliding with, or reading, each
   * other's keys.
   */
  public String scopedIdemKey() {
    return productId + ":" + userId + ":" + idemKey;
  }

  /** The key of its Kafka record. It spreads the orders of one product over all partitions. */
  public String recordKey() {
    return productId + "-" + userId;
  }
}
