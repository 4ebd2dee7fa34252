package io.seckill.redis;

import io.seckill.StartRefusedException;
import io.seckill.book.script.Script;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.DefaultComponent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code redis-script:NAME} runs the script {@code lua/NAME.lua}; see {@link ScriptEndpoint}. */
public final class ScriptComponent extends DefaultComponent {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptComponent.class);
  private static final Duration START_WAIT = Duration.ofSeconds(5);

  @Override
  protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
    ScriptRunner runner =
        CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), ScriptRunner.class);
    Script<?> script = Script.named(remaining);
    runner.source(script);
    return new ScriptEndpoint(uri, this, runner, script);
  }

  /**
   * Waits a moment for Redis, so that the first calls after a start find it. The start goes on when
   * Redis stays away; calls fail until it is there. The start fails when Redis refuses this node or
   * a right that it needs. Books are examined later, when the routes that judge them have started.
   */
  @Override
  protected void doStart() throws Exception {
    super.doStart();
    ScriptRunner runner =
        CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), ScriptRunner.class);
    Vertx vertx = getCamelContext().getRegistry().findSingleByType(Vertx.class);
    if (vertx != null) {
      runner.connect(vertx);
    }
    if (!runner.awaitConnected(START_WAIT)) {
      LOG.warn("Redis is away: orders are refused until it is back");
      return;
    }
    try {
      runner.requireRights();
    } catch (MissingRightException e) {
      throw new StartRefusedException(RedisRefusal.asSentence(e.getMessage()), e);
    } catch (RedisUnavailableException e) {
      LOG.warn("Redis does not answer: orders are refused until it does: {}", e.getMessage());
    }
  }

  /**
   * Ends the event loops' connections. Camel destroys beans in the order in which they were bound,
   * Vert.x and its loops first; connections that were still on these would look lost.
   */
  @Override
  protected void doStop() throws Exception {
    CamelContextHelper.mandatoryFindSingleByType(getCamelContext(), ScriptRunner.class)
        .disconnectEventLoops();
    super.doStop();
  }
}
