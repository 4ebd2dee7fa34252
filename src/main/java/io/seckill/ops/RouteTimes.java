package io.seckill.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.component.micrometer.MicrometerConstants;
import org.apache.camel.component.micrometer.routepolicy.MicrometerRoutePolicyNamingStrategy;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.ExchangeHelper;
import org.apache.camel.support.RoutePolicySupport;

/**
 * Times every route and counts its exchanges, under the names and tags of Camel's own {@code
 * MicrometerRoutePolicy}, which formats a name and an exchange id three times for each exchange.
 * That costs more than parsing a request.
 */
public final class RouteTimes implements RoutePolicyFactory {
  private static final MicrometerRoutePolicyNamingStrategy NAMES =
      MicrometerRoutePolicyNamingStrategy.DEFAULT;

  private final MeterRegistry registry;

  public RouteTimes(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
    return new OfRoute(registry, routeId);
  }

  /**
   * An exchange's passage through a route; {@code outer} is the passage that contains it, if any.
   */
  private record Passage(long startNanos, Passage outer) {}

  private static final class OfRoute extends RoutePolicySupport {
    private final MeterRegistry registry;
    private final String property;
    private volatile Meters meters;

    private OfRoute(MeterRegistry registry, String routeId) {
      this.registry = registry;
      this.property = MicrometerConstants.DEFAULT_CAMEL_ROUTE_POLICY_METER_NAME + "-" + routeId;
    }

    @Override
    public void onStart(Route route) {
      if (meters == null) {
        meters = Meters.of(registry, route);
      }
    }

    @Override
    public void onRemove(Route route) {
      if (meters != null) {
        meters.all().forEach(registry::remove);
        meters = null;
      }
    }

    @Override
    public void onExchangeBegin(Route route, Exchange exchange) {
      Passage outer = (Passage) exchange.getProperty(property);
      exchange.setProperty(property, new Passage(System.nanoTime(), outer));
    }

    @Override
    public void onExchangeDone(Route route, Exchange exchange) {
      Passage passage = (Passage) exchange.getProperty(property);
      Meters counted = meters;
      if (passage != null && counted != null) {
        exchange.setProperty(property, passage.outer());
        count(counted, exchange, System.nanoTime() - passage.startNanos());
      }
    }

    private static void count(Meters meters, Exchange exchange, long nanos) {
      meters.time().record(nanos, TimeUnit.NANOSECONDS);
      meters.total().increment();
      if (exchange.isFailed()) {
        meters.failed().increment();
        return;
      }
      meters.succeeded().increment();
      if (ExchangeHelper.isFailureHandled(exchange)) {
        meters.failuresHandled().increment();
      }
      if (exchange.isExternalRedelivered()) {
        meters.redeliveries().increment();
      }
    }
  }

  private record Meters(
      Timer time,
      Counter total,
      Counter succeeded,
      Counter failed,
      Counter failuresHandled,
      Counter redeliveries) {

    static Meters of(MeterRegistry registry, Route route) {
      return new Meters(
          Timer.builder(NAMES.getName(route))
              .tags(NAMES.getTags(route))
              .description("Route performance metrics")
              .register(registry),
          counter(
              registry,
              route,
              NAMES.getExchangesTotalName(route),
              "Total number of processed exchanges"),
          counter(
              registry,
              route,
              NAMES.getExchangesSucceededName(route),
              "Number of successfully completed exchanges"),
          counter(
              registry, route, NAMES.getExchangesFailedName(route), "Number of failed exchanges"),
          counter(
              registry, route, NAMES.getFailuresHandledName(route), "Number of failures handled"),
          counter(
              registry,
              route,
              NAMES.getExternalRedeliveriesName(route),
              "Number of external initiated redeliveries (such as from JMS broker)"));
    }

    private static Counter counter(
        MeterRegistry registry, Route route, String name, String description) {
      Tags tags = NAMES.getExchangeStatusTags(route);
      return Counter.builder(name).tags(tags).description(description).register(registry);
    }

    List<Meter> all() {
      return List.of(time, total, succeeded, failed, failuresHandled, redeliveries);
    }
  }
}
