package io.seckill.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seckill.book.AdmissionGuard;
import io.seckill.embedded.Ports;
import io.seckill.metrics.SeckillMetrics;
import io.seckill.rate.RateLimits;
import io.seckill.rate.Rates;
import io.seckill.sale.SaleRegistry;
import io.seckill.testing.Shop;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.LambdaRouteBuilder;
import org.apache.camel.main.Main;

/** The HTTP side alone: no Redis, no MySQL, routes of the test's own. */
final class HttpFixture implements AutoCloseable {
  private final Main main = new Main();
  private final int port = Ports.free();
  private final int managementPort = Ports.free();
  private final SaleRegistry sales = new SaleRegistry();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final List<String> blocked = new CopyOnWriteArrayList<>();

  HttpFixture(Map<String, String> properties, LambdaRouteBuilder routes) throws Exception {
    Properties overrides = new Properties();
    overrides.putAll(
        Map.of(
            "camel.server.enabled", "true",
            "camel.server.host", "127.0.0.1",
            "camel.server.port", Integer.toString(port),
            "camel.server.maxBodySize", "4096",
            "camel.main.routesIncludePattern", "false",
            "seckill.http.event-loops", "2",
            "camel.main.shutdownTimeout", "5"));
    overrides.putAll(
        Map.of(
            "camel.management.host", "127.0.0.1",
            "camel.management.port", Integer.toString(managementPort),
            "seckill.admin.token", "a-token-of-the-tests"));
    overrides.putAll(properties);
    main.setOverrideProperties(overrides);
    main.setPropertyPlaceholderLocations("classpath:application.properties");
    main.configure().setBasePackageScanEnabled(false);
    main.configure().withConfigurations(HttpConfiguration.class);
    main.bind("httpServerFactory", new EventLoopHttpServerFactory());
    main.bind("saleRegistry", sales);
    main.bind("admissionGuard", new AdmissionGuard());
    main.bind(
        "rates", new Rates(sales, new RateLimits(0, 0, 0, 0, Map.of()), 1, 1, System::nanoTime));
    main.bind("seckillMetrics", new SeckillMetrics(meters));
    main.configure().addLambdaRouteBuilder(routes);
    main.start();
    ((VertxInternal) main.lookup("vertx", Vertx.class))
        .blockedThreadChecker()
        .setThreadBlockedHandler(event -> blocked.add(event.thread().getName()));
  }

  Shop shop() {
    return new Shop("http://127.0.0.1:" + port, "unused");
  }

  int port() {
    return port;
  }

  MeterRegistry meters() {
    return meters;
  }

  int managementPort() {
    return managementPort;
  }

  SaleRegistry sales() {
    return sales;
  }

  CamelContext context() {
    return main.getCamelContext();
  }

  /** Names of threads that Vert.x found blocked. */
  List<String> blocked() {
    return blocked;
  }

  @Override
  public void close() {
    main.stop();
  }
}
