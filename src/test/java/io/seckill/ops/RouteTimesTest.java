package io.seckill.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouteTimesTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final DefaultCamelContext context = new DefaultCamelContext();

  @BeforeEach
  void start() throws Exception {
    context.addRoutePolicyFactory(new RouteTimes(registry));
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("direct:outer").routeId("outer").to("direct:inner");
            from("direct:inner")
                .routeId("inner")
                .choice()
                .when(body().isEqualTo("bad"))
                .throwException(new IllegalStateException("bad"))
                .when(body().isGreaterThan(0))
                .setBody(exchange -> exchange.getMessage().getBody(Integer.class) - 1)
                .to("direct:inner");
            from("direct:healing")
                .routeId("healing")
                .onException(IllegalStateException.class)
                .handled(true)
                .end()
                .throwException(new IllegalStateException("bad"));
          }
        });
    context.start();
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void shouldTimeEachRouteAnExchangePasses() {
    send("direct:outer", 0);
    send("direct:outer", 0);
    send("direct:inner", 0);

    assertThat(timer("outer").count()).isEqualTo(2);
    assertThat(timer("inner").count()).isEqualTo(3);
    assertThat(count("camel.exchanges.total", "inner")).isEqualTo(3);
    assertThat(count("camel.exchanges.succeeded", "inner")).isEqualTo(3);
    assertThat(count("camel.exchanges.failed", "inner")).isZero();
  }

  @Test
  void shouldTimeEachPassageThroughARouteThatCallsItself() {
    send("direct:inner", 2);

    assertThat(timer("inner").count()).isEqualTo(3);
    assertThat(count("camel.exchanges.total", "inner")).isEqualTo(3);
  }

  @Test
  void shouldTellFailuresAndThoseThatWereHandled() {
    send("direct:inner", "bad");
    send("direct:healing", "any");

    assertThat(count("camel.exchanges.failed", "inner")).isEqualTo(1);
    assertThat(count("camel.exchanges.succeeded", "inner")).isZero();
    assertThat(count("camel.exchanges.failed", "healing")).isZero();
    assertThat(count("camel.exchanges.succeeded", "healing")).isEqualTo(1);
    assertThat(count("camel.exchanges.failures.handled", "healing")).isEqualTo(1);
  }

  @Test
  void shouldShowARouteFromItsStartUntilItIsRemoved() throws Exception {
    assertThat(timer("inner").count()).isZero();

    context.getRouteController().stopRoute("outer");
    context.removeRoute("outer");

    assertThat(registry.find("camel.route.policy").tag("routeId", "outer").timer()).isNull();
    assertThat(registry.find("camel.exchanges.total").tag("routeId", "outer").counter()).isNull();
    assertThat(timer("inner").getId().getTag("kind")).isEqualTo("CamelRoute");
  }

  private void send(String endpoint, Object body) {
    context.createProducerTemplate().send(endpoint, exchange -> exchange.getIn().setBody(body));
  }

  private Timer timer(String routeId) {
    return registry.get("camel.route.policy").tag("routeId", routeId).timer();
  }

  private double count(String name, String routeId) {
    Counter counter = registry.get(name).tag("routeId", routeId).counter();
    return counter.count();
  }
}
