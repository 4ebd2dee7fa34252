package io.seckill.recovery;

import io.seckill.book.script.RebuildCloseReply;
import io.seckill.kafka.Barrier;

/**
 * How far the draining of a closed sale has come. First the outbox must be empty, then the writers
 * must have passed what Kafka holds at that moment, then the compensation what the dead letters
 * hold at that one.
 */
public final class Drain {
  enum Stage {
    OUTBOX("The relay has not sent what is in the outbox."),
    ORDERS("The writers have not written what is in Kafka."),
    DEAD_LETTERS("The dead letters are neither compensated nor parked."),
    DONE("");

    private final String waiting;

    Stage(String waiting) {
      this.waiting = waiting;
    }

    /** What is not done while the drain is in this stage. */
    String waiting() {
      return waiting;
    }
  }

  private final long productId;
  private final long deadlineNanos;
  private Stage stage = Stage.OUTBOX;
  private Barrier barrier;
  private RebuildCloseReply closed;
  private String trouble;

  Drain(long productId, long deadlineNanos) {
    this.productId = productId;
    this.deadlineNanos = deadlineNanos;
  }

  /** Whether the sale is not drained yet. */
  public boolean isWaiting() {
    return stage != Stage.DONE;
  }

  long productId() {
    return productId;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  Stage stage() {
    return stage;
  }

  Barrier barrier() {
    return barrier;
  }

  void enter(Stage next, Barrier toPass) {
    stage = next;
    barrier = toPass;
    trouble = null;
  }

  void closed(RebuildCloseReply reply) {
    closed = reply;
  }

  /** The reply of {@code rebuild-close.lua} that was taken last. */
  public RebuildCloseReply getClosed() {
    return closed;
  }

  long outboxLength() {
    return closed.outboxLength();
  }

  void trouble(String what) {
    trouble = what;
  }

  String trouble() {
    return trouble;
  }
}
