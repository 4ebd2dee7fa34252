package io.seckill.domain;

/**
 * An order on its way to MySQL, with what its dead letter would hold.
 *
 * @param value the bytes it was read from
 * @param source where they lie: {@code topic-partition@offset}, or who sends it instead
 */
public record QueuedOrder(OrderRecord order, byte[] value, String source) {
  public String requestId() {
    return order.requestId();
  }
}
