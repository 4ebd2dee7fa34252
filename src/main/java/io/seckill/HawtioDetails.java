package io.seckill;

import java.util.Map;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.MainListenerSupport;

/**
 * With {@code seckill.hawtio.details}: has Camel keep what Hawtio shows of nodes, endpoints,
 * exchanges in flight and messages.
 */
final class HawtioDetails extends MainListenerSupport {
  private static final String DETAILS = "seckill.hawtio.details";
  private static final String TRUE = "true";

  private static final Map<String, String> OPTIONS =
      Map.of(
          "camel.main.jmxManagementMBeansLevel", "Default",
          "camel.main.jmxManagementStatisticsLevel", "Extended",
          "camel.main.inflightRepositoryBrowseEnabled", TRUE,
          "camel.main.endpointRuntimeStatisticsEnabled", TRUE,
          // the tracer is there, and traces once Hawtio switches it on
          "camel.trace.standby", TRUE,
          "camel.trace.backlogSize", "1000",
          // it holds objects of the server
          "camel.trace.includeExchangeProperties", "false",
          // nobody's token: a message is traced once its route has removed what the client sent
          "camel.trace.traceFilter", "${header.Authorization} == null");

  @Override
  public void beforeInitialize(BaseMainSupport base) {
    Settings settings = new Settings(base.getCamelContext().getPropertiesComponent());
    if (settings.oneOf(DETAILS, TRUE, "false").equals(TRUE)) {
      OPTIONS.forEach(base::addOverrideProperty);
    }
  }
}
