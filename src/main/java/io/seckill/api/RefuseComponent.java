package io.seckill.api;

import io.seckill.metrics.SeckillMetrics;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.DefaultComponent;

/** {@code refuse:CODE} answers with a refusal; see {@link RefuseEndpoint}. */
public final class RefuseComponent extends DefaultComponent {

  @Override
  protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters)
      throws Exception {
    RefuseEndpoint endpoint =
        new RefuseEndpoint(
            uri,
            this,
            remaining,
            CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), SeckillMetrics.class));
    setProperties(endpoint, parameters);
    return endpoint;
  }
}
