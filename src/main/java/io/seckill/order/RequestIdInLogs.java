package io.seckill.order;

import io.seckill.domain.ConcernsOrder;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.support.RoutePolicySupport;
import org.slf4j.MDC;

/**
 * A route policy for routes whose body is a {@link ConcernsOrder}: adds {@code requestId} to the
 * log lines of the route.
 */
public final class RequestIdInLogs extends RoutePolicySupport {
  private static final String KEY = "requestId";
  private static final String SET_BY = "seckill.requestIdSetBy";

  @Override
  public void onExchangeBegin(Route route, Exchange exchange) {
    if (exchange.getMessage().getBody() instanceof ConcernsOrder order
        && order.requestId() != null
        && exchange.getProperty(SET_BY) == null) {
      MDC.put(KEY, order.requestId());
      exchange.setProperty(SET_BY, route.getRouteId());
    }
  }

  @Override
  public void onExchangeDone(Route route, Exchange exchange) {
    if (route.getRouteId().equals(exchange.getProperty(SET_BY))) {
      exchange.removeProperty(SET_BY);
      MDC.remove(KEY);
    }
  }
}
