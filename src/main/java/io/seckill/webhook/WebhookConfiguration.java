package io.seckill.webhook;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;

/** Makes the beans for webhooks. Those that cost something are made when a route asks for them. */
@Configuration
public class WebhookConfiguration {
  @PropertyInject("seckill.webhooks.http")
  private boolean http;

  @PropertyInject("seckill.webhooks.private-addresses")
  private boolean privateAddresses;

  @PropertyInject("seckill.webhooks.concurrency")
  private int concurrency;

  @PropertyInject("seckill.webhooks.endpoint-concurrency")
  private int endpointConcurrency;

  @PropertyInject("seckill.webhooks.interval")
  private long interval;

  @PropertyInject("seckill.webhooks.breaker-wait")
  private long breakerWait;

  @PropertyInject("seckill.webhooks.timeout")
  private long timeout;

  @PropertyInject("seckill.webhooks.retries")
  private String retries;

  @PropertyInject("seckill.webhooks.truststore")
  private String truststore;

  @PropertyInject("seckill.webhooks.truststore-password")
  private String truststorePassword;

  private Targets targets() {
    return new Targets(http, privateAddresses);
  }

  @BindToRegistry
  public WebhookEvents webhookEvents() {
    return new WebhookEvents();
  }

  @BindToRegistry
  public Signatures webhookSignatures() {
    return new Signatures();
  }

  @BindToRegistry(lazy = true)
  public WebhookAdministration webhookAdministration(@BeanInject("clock") Clock clock) {
    return new WebhookAdministration(targets(), clock);
  }

  @BindToRegistry(lazy = true)
  public WebhookTurns webhookTurns() {
    return new WebhookTurns(
        concurrency,
        endpointConcurrency,
        Duration.ofMillis(interval),
        Duration.ofMillis(breakerWait));
  }

  /** Its connections end with Vert.x. */
  @BindToRegistry(lazy = true)
  public WebhookSender webhookSender(
      @BeanInject("vertx") Vertx vertx, @BeanInject("clock") Clock clock) {
    return new WebhookSender(
        vertx,
        targets(),
        new RetryPlan(retries),
        clock,
        new WebhookSender.Connections(
            Duration.ofMillis(timeout), concurrency, truststore, truststorePassword));
  }

  @BindToRegistry(lazy = true)
  public WebhookMetrics webhookMetrics(@BeanInject("metricsRegistry") MeterRegistry meters) {
    return new WebhookMetrics(meters);
  }
}
