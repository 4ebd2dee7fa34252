package io.seckill.recovery;

import io.seckill.answer.Refusal;
import io.seckill.book.script.RebuildCloseReply;
import io.seckill.kafka.ConsumerProgress;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.apache.camel.Body;
import org.apache.camel.Variable;
import org.apache.kafka.common.KafkaException;

/** Follows the orders of a closed sale on their way to MySQL, up to a time limit. */
public final class Drains {
  private static final int RETRY_SECONDS = 5;

  private final ConsumerProgress progress;
  private final Stream orders;
  private final Stream deadLetters;
  private final IntSupplier relaying;
  private final Duration atMost;

  /** A topic and the consumer group that processes it. */
  public record Stream(String topic, String group) {}

  /**
   * @param relaying batches that this node's relay has read and not acknowledged, which a lost
   *     outbox does not show
   * @param atMost how long a drain may take
   */
  public Drains(
      ConsumerProgress progress,
      Stream orders,
      Stream deadLetters,
      IntSupplier relaying,
      Duration atMost) {
    this.progress = progress;
    this.orders = orders;
    this.deadLetters = deadLetters;
    this.relaying = relaying;
    this.atMost = atMost;
  }

  /** Begins the drain of a sale. */
  public Drain begin(@Variable("productId") long productId) {
    return new Drain(productId, System.nanoTime() + atMost.toNanos());
  }

  /**
   * Checks a sale that is being drained.
   *
   * @param closed the reply of {@code rebuild-close.lua}
   * @throws Refusal 503 NOT_DRAINED when it takes too long
   */
  public void look(@Variable("drain") Drain drain, @Body RebuildCloseReply closed) {
    drain.closed(closed);
    try {
      advance(drain);
    } catch (KafkaException e) {
      drain.trouble(e.getMessage());
    }
    if (drain.isWaiting() && System.nanoTime() - drain.deadlineNanos() > 0) {
      throw Refusal.of(503, "NOT_DRAINED", drain.stage().waiting() + " The sale stays closed.")
          .with("productId", drain.productId())
          .with("outbox", drain.outboxLength())
          .with("cause", drain.trouble())
          .retryAfter(RETRY_SECONDS);
    }
  }

  private void advance(Drain drain) {
    switch (drain.stage()) {
      case OUTBOX -> {
        if (drain.outboxLength() == 0 && relaying.getAsInt() == 0) {
          drain.enter(Drain.Stage.ORDERS, progress.barrier(orders.topic(), orders.group()));
        }
      }
      case ORDERS -> {
        if (progress.passed(drain.barrier())) {
          drain.enter(
              Drain.Stage.DEAD_LETTERS, progress.barrier(deadLetters.topic(), deadLetters.group()));
        }
      }
      case DEAD_LETTERS -> {
        if (progress.passed(drain.barrier())) {
          drain.enter(Drain.Stage.DONE, null);
        }
      }
      case DONE -> {}
    }
  }
}
