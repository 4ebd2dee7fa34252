package io.seckill.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.seckill.domain.ConcernsOrder;
import io.seckill.domain.Purchase;
import io.seckill.http.Request;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.component.direct.DirectEndpoint;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.RoutePolicySupport;

/**
 * Traces a share of the exchanges, with a span for each route. The spans of {@code direct:} routes
 * are inside the span of the calling route. An exchange that is not chosen costs one look-up of a
 * property.
 *
 * <p>Camel's own tracer binds the span to the thread on which it begins. That is wrong when an
 * exchange continues on another thread, as with the event loop. It also handles every exchange at
 * every node, chosen or not. Here the span travels with the exchange.
 */
public final class SampledTraces implements RoutePolicyFactory {
  static final AttributeKey<String> REQUEST_ID = AttributeKey.stringKey("seckill.request_id");
  static final AttributeKey<Long> PRODUCT_ID = AttributeKey.longKey("seckill.product_id");
  static final AttributeKey<Long> ORDERS = AttributeKey.longKey("seckill.orders");
  static final AttributeKey<Long> HTTP_STATUS = AttributeKey.longKey("http.response.status_code");

  private static final String PASSAGE = "seckill.trace";
  private static final int SERVER_ERROR = 500;
  private static final TextMapGetter<Request> HEADERS = new Headers();

  private final Tracer tracer;
  private final double ratio;
  private final DoubleSupplier random;
  private final BooleanSupplier callers;

  /**
   * @param ratio share of the exchanges to trace, 0 to 1
   * @param random numbers from 0 up to 1
   * @param callers whether one more request may be traced because its caller asks for it; if not,
   *     the ratio decides
   */
  public SampledTraces(
      Tracer tracer, double ratio, DoubleSupplier random, BooleanSupplier callers) {
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("seckill.trace.ratio must be 0 to 1, not " + ratio);
    }
    this.tracer = tracer;
    this.ratio = ratio;
    this.random = random;
    this.callers = callers;
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
    return new OfRoute(routeId);
  }

  /**
   * An exchange's passage through a route; {@code outer} is the passage of the calling route, if
   * any.
   */
  private record Passage(String routeId, Span span, Passage outer) {}

  private final class OfRoute extends RoutePolicySupport {
    private final String routeId;

    private OfRoute(String routeId) {
      this.routeId = routeId;
    }

    @Override
    public void onExchangeBegin(Route route, Exchange exchange) {
      Passage outer = (Passage) exchange.getProperty(PASSAGE);
      Object body = exchange.getMessage().getBody();
      Context parent = outer == null ? chosen(route, body) : Context.root().with(outer.span());
      if (parent != null) {
        Span span =
            tracer
                .spanBuilder(routeId)
                .setParent(parent)
                .setSpanKind(body instanceof Request ? SpanKind.SERVER : SpanKind.INTERNAL)
                .startSpan();
        if (body instanceof ConcernsOrder order && order.requestId() != null) {
          span.setAttribute(REQUEST_ID, order.requestId());
        } else if (body instanceof List<?> batch) {
          span.setAttribute(ORDERS, (long) batch.size());
        }
        exchange.setProperty(PASSAGE, new Passage(routeId, span, outer));
      }
    }

    @Override
    public void onExchangeDone(Route route, Exchange exchange) {
      Passage passage = (Passage) exchange.getProperty(PASSAGE);
      if (passage != null && passage.routeId().equals(routeId)) {
        exchange.setProperty(PASSAGE, passage.outer());
        describe(passage.span(), exchange);
        passage.span().end();
      }
    }
  }

  /** The parent of a new span; null when the exchange is not traced. */
  private Context chosen(Route route, Object body) {
    if (route.getEndpoint() instanceof DirectEndpoint) {
      return null;
    }
    if (body instanceof Request request) {
      Context upstream =
          W3CTraceContextPropagator.getInstance().extract(Context.root(), request, HEADERS);
      SpanContext caller = Span.fromContext(upstream).getSpanContext();
      if (caller.isValid()) {
        return caller.isSampled() && (callers.getAsBoolean() || isChosen()) ? upstream : null;
      }
    }
    return isChosen() ? Context.root() : null;
  }

  private boolean isChosen() {
    return random.getAsDouble() < ratio;
  }

  private static void describe(Span span, Exchange exchange) {
    if (exchange.getProperty("purchase") instanceof Purchase purchase) {
      span.setAttribute(PRODUCT_ID, purchase.productId());
      span.setAttribute(REQUEST_ID, purchase.requestId());
    }
    if (exchange.getMessage().getHeader(Exchange.HTTP_RESPONSE_CODE) instanceof Integer status) {
      span.setAttribute(HTTP_STATUS, (long) status);
      if (status >= SERVER_ERROR) {
        span.setStatus(StatusCode.ERROR);
      }
    }
    if (exchange.getException() != null) {
      span.setStatus(StatusCode.ERROR);
      span.recordException(exchange.getException());
    }
  }

  private static final class Headers implements TextMapGetter<Request> {
    @Override
    public Iterable<String> keys(Request carrier) {
      return List.of();
    }

    @Override
    public String get(Request carrier, String key) {
      return carrier.header(key);
    }
  }
}
