package io.seckill.answer;

import io.seckill.sql.MySqlFault;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.util.ObjectHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a request is answered whose route ended with an exception. */
public final class FaultAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(FaultAnswers.class);

  private FaultAnswers() {}

  /**
   * The problem of the exchange's exception: a {@link Refusal} as it says, work that no thread had
   * room for and what MySQL cannot do now as 503 DEGRADED, anything else as 500, which is logged.
   */
  public static Answer answer(Exchange exchange) {
    Exception exception = exchange.getException();
    if (exception == null) {
      exception = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Exception.class);
    }
    Refusal refusal = ObjectHelper.getException(Refusal.class, exception);
    if (refusal != null) {
      return Problem.of(refusal);
    }
    if (ObjectHelper.getException(RejectedExecutionException.class, exception) != null) {
      return Problem.of(Refusals.degraded());
    }
    Optional<MySqlFault> fault = MySqlFault.of(exception);
    if (fault.isPresent()) {
      LOG.warn("Route {}: {}", exchange.getFromRouteId(), exception.getMessage());
      return Problem.of(Refusals.degraded(fault.get()));
    }
    LOG.error(
        "Route {} failed, exchange {}",
        exchange.getFromRouteId(),
        exchange.getExchangeId(),
        exception);
    return Problem.of(Refusals.internalError());
  }
}
