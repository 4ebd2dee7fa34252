package io.seckill.outbox;

import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.DefaultComponent;

/** {@code redis-stream:GROUP} reads outboxes; see {@link StreamEndpoint}. */
public final class StreamComponent extends DefaultComponent {

  @Override
  protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters)
      throws Exception {
    StreamEndpoint endpoint =
        new StreamEndpoint(
            uri,
            this,
            remaining,
            CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), RedisOutboxes.class));
    setProperties(endpoint, parameters);
    return endpoint;
  }
}
