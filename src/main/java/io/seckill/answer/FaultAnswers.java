package io.seckill.answer;

import io.seckill.sql.MySqlFault;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.util.ObjectHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the answer to a request whose route ended with an exception. */
public final class FaultAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(FaultAnswers.class);

  private FaultAnswers() {}

  /**
   * Makes a problem of the exchange's exception. A {@link Refusal} keeps its status and code. A
   * full worker queue and a MySQL that cannot serve the statement now give 503 DEGRADED. Anything
   * else gives 500 and is logged.
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
    if (fault.isPresent() || MySqlFault.isAway(exception)) {
      LOG.warn("Route {}: {}", exchange.getFromRouteId(), exception.getMessage());
      return Problem.of(fault.map(Refusals::degraded).orElseGet(Refusals::degraded));
    }
    LOG.error(
        "Route {} failed, exchange {}",
        exchange.getFromRouteId(),
        exchange.getExchangeId(),
        exception);
    return Problem.of(Refusals.internalError());
  }
}
