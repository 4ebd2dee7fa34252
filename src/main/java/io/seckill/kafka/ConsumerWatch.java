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
 * Starts routes anew whose Kafka consumer has given up. Camel's consumer connects again by itself
 * after every failure but one: when Kafka refuses its credentials it ends for good, while its route
 * stays as it is. Thread-safe.
 */
public final class ConsumerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerWatch.class);

  private final CamelContext context;

  /**
   * Routes that were found so at the last look: one that only begins looks the same for a moment.
   */
  private Set<String> suspected = Set.of();

  public ConsumerWatch(CamelContext context) {
    this.context = context;
  }

  /**
   * Starts the routes anew that were found without a consumer twice in a row.
   *
   * @throws Exception when a route does not stop or start; the next look finds it
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
        LOG.warn("A Kafka consumer of route {} has given up: the route starts anew", routeId);
        context.getRouteController().stopRoute(routeId);
        context.getRouteController().startRoute(routeId);
      }
    }
  }

  private static boolean hasGivenUp(TaskHealthState consumer) {
    return !consumer.isReady() && !consumer.isRecoverable();
  }
}
