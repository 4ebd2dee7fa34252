package io.seckill.outbox;

import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultEndpoint;

/**
 * Reads the outboxes of the sales that {@link OutboxSource} names, as one reader of a consumer
 * group, in batches.
 *
 * <p>Body out: a list of {@link OutboxEntry}, of one or many products, at most {@code maxBatch}.
 * The route acknowledges them ({@link OutboxEntry#acknowledgements}); entries of an exchange that
 * failed, and those of a reader that died, stay pending and are given to the route again. So an
 * entry may be given more than once.
 */
public final class StreamEndpoint extends DefaultEndpoint {
  private final String group;
  private final RedisOutboxes outboxes;
  private OutboxSource source;
  private int maxBatch = 1_000;
  private long claimIdle = 10_000;
  private long linger = 5;
  private long maxBackoff = 5_000;

  StreamEndpoint(String uri, StreamComponent component, String group, RedisOutboxes outboxes) {
    super(uri, component);
    this.group = group;
    this.outboxes = outboxes;
  }

  @Override
  public Producer createProducer() {
    throw new UnsupportedOperationException("redis-stream only reads; scripts write the outbox");
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

  /** Null: the only bean of that type. */
  public OutboxSource getSource() {
    return source;
  }

  public void setSource(OutboxSource source) {
    this.source = source;
  }

  /** Entries an exchange holds at most. */
  public int getMaxBatch() {
    return maxBatch;
  }

  public void setMaxBatch(int maxBatch) {
    this.maxBatch = maxBatch;
  }

  /** Milliseconds after which an entry that was read and not acknowledged is taken over. */
  public long getClaimIdle() {
    return claimIdle;
  }

  public void setClaimIdle(long claimIdle) {
    this.claimIdle = claimIdle;
  }

  /** Milliseconds a woken reader waits for more entries to come, so that batches are not tiny. */
  public long getLinger() {
    return linger;
  }

  public void setLinger(long linger) {
    this.linger = linger;
  }

  /** Milliseconds between attempts, at most, while exchanges fail or Redis is away. */
  public long getMaxBackoff() {
    return maxBackoff;
  }

  public void setMaxBackoff(long maxBackoff) {
    this.maxBackoff = maxBackoff;
  }
}
