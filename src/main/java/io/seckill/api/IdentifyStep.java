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
 * Identifies the buyer and sets exchange property {@link PurchaseSteps#USER_ID}. Without an
 * identity it answers the refusal and ends the route. Another thread verifies tokens; the route
 * then goes on on its event loop.
 */
final class IdentifyStep extends AsyncProcessorSupport {
  private final Identity identity;
  private final Consumer<Exchange> beforeVerification;
  private final Consumer<Refusal> whenRefused;

  /**
   * @param beforeVerification runs before a verification; may throw a {@link Refusal} to prevent it
   * @param whenRefused gets each refusal before the client does
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
