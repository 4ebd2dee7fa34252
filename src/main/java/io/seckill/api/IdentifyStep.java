package io.seckill.api;

import io.seckill.answer.ExchangeAnswers;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.seckill.http.Request;
import io.seckill.identity.Identity;
import io.vertx.core.impl.ContextInternal;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.AsyncProcessorSupport;

/**
 * Tells who asks: exchange property {@link PurchaseSteps#USER_ID}; else the refusal is answered and
 * ends the route. An identity that has to be verified is so elsewhere, and the route then goes on
 * where it was, on its event loop.
 */
final class IdentifyStep extends AsyncProcessorSupport {
  private final Identity identity;
  private final Consumer<Exchange> beforeVerification;
  private final Consumer<Refusal> whenRefused;

  /**
   * @param beforeVerification may throw the {@link Refusal} of a request that is not worth it
   * @param whenRefused told of each refusal before it is answered
   */
  IdentifyStep(
      Identity identity, Consumer<Exchange> beforeVerification, Consumer<Refusal> whenRefused) {
    this.identity = identity;
    this.beforeVerification = beforeVerification;
    this.whenRefused = whenRefused;
  }

  @Override
  public boolean process(Exchange exchange, AsyncCallback callback) {
    Request request = (Request) exchange.getMessage().getBody();
    try {
      OptionalLong known = identity.known(request);
      if (known.isPresent()) {
        exchange.setProperty(PurchaseSteps.USER_ID, known.getAsLong());
      } else {
        beforeVerification.accept(exchange);
        verify(exchange, request, callback);
        return false;
      }
    } catch (Refusal refusal) {
      refuse(exchange, refusal);
    }
    callback.done(true);
    return true;
  }

  private void verify(Exchange exchange, Request request, AsyncCallback callback) {
    ContextInternal loop = ContextInternal.current();
    identity
        .verify(request)
        .whenComplete(
            (userId, failure) ->
                loop.runOnContext(
                    ignored -> {
                      if (failure == null) {
                        exchange.setProperty(PurchaseSteps.USER_ID, userId);
                      } else if (failure instanceof Refusal refusal) {
                        refuse(exchange, refusal);
                      } else {
                        exchange.setException(failure);
                      }
                      callback.done(false);
                    }));
  }

  private void refuse(Exchange exchange, Refusal refusal) {
    whenRefused.accept(refusal);
    ExchangeAnswers.end(exchange, Problem.of(refusal));
  }
}
