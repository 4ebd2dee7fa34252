package io.seckill.answer;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * A step of a route on the event loop. When it throws a {@link Refusal}, the client gets it at once
 * and the route ends, without the cost of Camel's error handling.
 */
public final class RefusableStep implements Processor {
  private final Consumer<Exchange> work;
  private final BiConsumer<Exchange, Refusal> whenRefused;

  /**
   * @param whenRefused gets each refusal before the client does
   */
  public RefusableStep(Consumer<Exchange> work, BiConsumer<Exchange, Refusal> whenRefused) {
    this.work = work;
    this.whenRefused = whenRefused;
  }

  @Override
  public void process(Exchange exchange) {
    try {
      work.accept(exchange);
    } catch (Refusal refusal) {
      whenRefused.accept(exchange, refusal);
      ExchangeAnswers.end(exchange, Problem.of(refusal));
    }
  }
}
