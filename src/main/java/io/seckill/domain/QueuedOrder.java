package io.seckill.domain;

/**
 * An order on its way to MySQL, with the bytes and source that its dead letter would hold.
 *
 * @param value the bytes it was read from
 * @param source where the record is: {@code topic-partition@offset}, or the sender's name
 */
public record QueuedOrder(OrderRecord order, byte[] value, String source) {
  public String requestId() {
    return order.requestId();
  }
}
