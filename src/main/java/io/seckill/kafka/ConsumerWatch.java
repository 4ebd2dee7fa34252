package io.seckill.kafka;

import java.util.HashSet;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;
import org.apache.camel.component.kafka.KafkaConsumer;
import org.apache.camel.component.kafka.TaskHealthState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts routes whose Kafka consumer has given up. Camel's consumer reconnects by itself after
 * every failure but one: when Kafka refuses its credentials it ends for good, while its route stays
 * started. Thread-safe.
 */
public final class ConsumerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerWatch.class);

  private final CamelContext context;

  /**
   * Routes that had no consumer at the last check. A route that is just starting looks the same for
   * a moment.
   */
  private Set<String> suspected = Set.of();

  public ConsumerWatch(CamelContext context) {
    this.context = context;
  }

  /**
   * Restarts the routes that had no consumer in two checks running.
   *
   * @throws Exception when a route does not stop or start; the next check tries again
   */
  public synchronized void restartEnded() throws Exception {
    Set<String> ended = new HashSet<>();
    for (Route route : context.getRoutes()) {
      if (route.getConsumer() instanceof KafkaConsumer consumer
          && context.getRouteController().getRouteStatus(route.getRouteId())
              == ServiceStatus.Started
          && consumer.healthStates().stream().anyMatch(ConsumerWatch::hasGivenUp)) {
        ended.add(route.getRouteId());
      }
    }
    Set<String> before = suspected;
    suspected = ended;
    for (String routeId : ended) {
      if (before.contains(routeId)) {
        LOG.warn("A Kafka consumer of route {} has given up: restarting the route", routeId);
        context.getRouteController().stopRoute(routeId);
        context.getRouteController().startRoute(routeId);
      }
    }
  }

  private static boolean hasGivenUp(TaskHealthState consumer) {
    return !consumer.isRecoverable();
  }
}
