package io.seckill.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Meters of the deliveries. No label holds an endpoint, so their number is bounded. Thread-safe.
 */
public final class WebhookMetrics {
  private final Map<DeliveryState, Counter> tries;
  private volatile long oldestMs;

  public WebhookMetrics(MeterRegistry registry) {
    tries =
        Arrays.stream(DeliveryState.values())
            .collect(
                Collectors.toUnmodifiableMap(Function.identity(), it -> counter(registry, it)));
    Gauge.builder(
            "seckill.webhook.oldest.due", () -> (double) oldestMs / TimeUnit.SECONDS.toMillis(1))
        .description("How long the oldest delivery has been due, in seconds")
        .baseUnit("seconds")
        .register(registry);
  }

  private static Counter counter(MeterRegistry registry, DeliveryState state) {
    return Counter.builder("seckill.webhook.tries")
        .description(
            "Tries to deliver an event: DELIVERED, WAITING for the next try, or FAILED for good")
        .tag("outcome", state.name())
        .register(registry);
  }

  /** A delivery was tried. */
  public void tried(Attempt attempt) {
    tries.get(attempt.state()).increment();
  }

  /** These endpoints have deliveries that are due. */
  public void due(List<DueEndpoint> endpoints) {
    oldestMs = endpoints.stream().mapToLong(DueEndpoint::lateMs).max().orElse(0);
  }
}
