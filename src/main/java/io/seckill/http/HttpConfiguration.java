package io.seckill.http;

import io.micrometer.core.instrument.MeterRegistry;
import org.apache.camel.CamelConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.PropertyInject;
import org.apache.camel.component.micrometer.MicrometerConstants;
import org.apache.camel.component.platform.http.PlatformHttpConstants;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpRouter;
import org.apache.camel.spi.Registry;

/**
 * Binds the two engines of the HTTP server: for routes on the event loop, and for routes that
 * block.
 */
public class HttpConfiguration implements CamelConfiguration {
  @PropertyInject("camel.server.port")
  private int port;

  @PropertyInject("camel.server.maxBodySize")
  private int maxBodySize;

  @PropertyInject("camel.management.port")
  private int managementPort;

  @Override
  public void configure(CamelContext context) throws Exception {
    Registry registry = context.getRegistry();
    RequestDispatcher dispatcher =
        registry.lookupByNameAndType(
            EventLoopHttpServerFactory.DISPATCHER, RequestDispatcher.class);
    registry.bind("eventLoop", new EventLoopHttpEngine(port, dispatcher, maxBodySize));
    registry.bind(
        PlatformHttpConstants.PLATFORM_HTTP_ENGINE_NAME, new BlockingHttpEngine(port, dispatcher));
    MeterRegistry meters =
        registry.lookupByNameAndType(
            MicrometerConstants.METRICS_REGISTRY_NAME, MeterRegistry.class);
    if (meters != null) {
      registry.findByType(HttpEdge.class).forEach(edge -> edge.show(meters));
    }
    context.addStartupListener((started, already) -> completeManagementRouter(started));
  }

  /** Waits for the start, because Camel's management server has no router before it runs. */
  private void completeManagementRouter(CamelContext context) {
    VertxPlatformHttpRouter router =
        VertxPlatformHttpRouter.lookup(
            context, VertxPlatformHttpRouter.getRouterNameFromPort(managementPort));
    if (router != null) {
      ServerRefusals.answerHead(router);
    }
  }
}
