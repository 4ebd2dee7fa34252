package io.seckill.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.Processor;
import org.apache.camel.component.micrometer.MicrometerConstants;

/** Beans of watching and administration. */
@Configuration
public class OpsConfiguration {
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final SeckillMetrics metrics = new SeckillMetrics(meters);

  /** The registry Camel's own metrics and {@code /observe/metrics} use as well. */
  @BindToRegistry(MicrometerConstants.METRICS_REGISTRY_NAME)
  public MeterRegistry meterRegistry() {
    return meters;
  }

  @BindToRegistry
  public SeckillMetrics seckillMetrics() {
    return metrics;
  }

  @BindToRegistry
  public OutcomeReport outcomeReport() {
    return new OutcomeReport(metrics, Clock.systemUTC());
  }

  /** Counts a batch that is tried again. */
  @BindToRegistry
  public Processor countRetry() {
    return exchange -> metrics.batchRetried();
  }
}
