package io.seckill.outbox;

import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultEndpoint;

/**
 * Reads the outboxes of the sales that {@link OutboxSource} names, as one reader of a consumer
 * group, in batches.
 *
 * <p>Body out: a list of at most {@code maxBatch} {@link OutboxEntry}, of one or many products. The
 * route acknowledges them ({@link OutboxEntry#acknowledgements}). Entries of a failed exchange, and
 * of a reader that died, stay pending and come again. So the route may get an entry more than once.
 */
public final class StreamEndpoint extends DefaultEndpoint {
  private final String group;
  private final RedisOutboxes outboxes;
  private OutboxSource source;
  private int maxBatch = 1_000;
  private long claimIdle = 10_000;
  private long linger = 40;
  private long maxBackoff = 5_000;

  StreamEndpoint(String uri, StreamComponent component, String group, RedisOutboxes outboxes) {
    super(uri, component);
    this.group = group;
    this.outboxes = outboxes;
  }

  @Override
  public Producer createProducer() {
    throw new UnsupportedOperationException(
        "redis-stream is a consumer only; scripts write the outbox");
  }

  @Override
  public Consumer createConsumer(Processor processor) throws Exception {
    StreamConsumer consumer = new StreamConsumer(this, processor);
    configureConsumer(consumer);
    return consumer;
  }

  String getGroup() {
    return group;
  }

  RedisOutboxes outboxes() {
    return outboxes;
  }

  /** The source; null for the only bean of that type. */
  public OutboxSource getSource() {
    return source;
  }

  public void setSource(OutboxSource source) {
    this.source = source;
  }

  /** The largest number of entries in an exchange. */
  public int getMaxBatch() {
    return maxBatch;
  }

  public void setMaxBatch(int maxBatch) {
    this.maxBatch = maxBatch;
  }

  /** Milliseconds after which another reader takes over an unacknowledged entry. */
  public long getClaimIdle() {
    return claimIdle;
  }

  public void setClaimIdle(long claimIdle) {
    this.claimIdle = claimIdle;
  }

  /** Milliseconds that an entry of a steady stream waits at most for others to share its batch. */
  public long getLinger() {
    return linger;
  }

  public void setLinger(long linger) {
    this.linger = linger;
  }

  /** The longest pause between attempts, in ms, while exchanges fail or Redis is away. */
  public long getMaxBackoff() {
    return maxBackoff;
  }

  public void setMaxBackoff(long maxBackoff) {
    this.maxBackoff = maxBackoff;
  }
}
