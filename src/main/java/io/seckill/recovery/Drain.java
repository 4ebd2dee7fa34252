package io.seckill.recovery;

import io.seckill.book.script.RebuildCloseReply;
import io.seckill.kafka.Barrier;

/**
 * The progress of draining a closed sale. First the outbox must become empty. Then the writers must
 * pass the end that the orders have in Kafka at that moment, and then the compensation the end of
 * the dead letters.
 */
public final class Drain {
  enum Stage {
    OUTBOX("The relay has not sent all entries of the outbox."),
    ORDERS("The writers have not written all orders in Kafka."),
    DEAD_LETTERS("Some dead letters are neither compensated nor parked."),
    DONE("");

    private final String waiting;

    Stage(String waiting) {
      this.waiting = waiting;
    }

    /** The sentence that says what this stage waits for. */
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

  /** The last reply of {@code rebuild-close.lua}. */
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
