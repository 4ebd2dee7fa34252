package io.seckill.api;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seckill.book.AdmissionGuard;
import io.seckill.rate.Rates;
import java.time.Duration;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.CamelContext;
import org.apache.camel.Configuration;
import org.apache.camel.PropertyInject;
import org.apache.camel.support.LifecycleStrategySupport;

/** Makes the beans of result look-ups. */
@Configuration
public class ResultConfiguration {
  private static final Duration MISS_MEMORY = Duration.ofSeconds(1);
  private static final int MISSES_REMEMBERED = 100_000;

  @BindToRegistry(lazy = true)
  public OrderQuestionSteps orderQuestions(
      @BeanInject("rates") Rates rates, @BeanInject("admissionGuard") AdmissionGuard guard) {
    return new OrderQuestionSteps(
        new MissedLookups(MISS_MEMORY, MISSES_REMEMBERED), rates, guard::version);
  }

  /** The buyers who wait. They are let go before the routes stop, which would wait for them. */
  @BindToRegistry(destroyMethod = "close")
  public Waiters waiters(
      CamelContext context,
      @PropertyInject("seckill.result.waiters") int capacity,
      @BeanInject("metricsRegistry") MeterRegistry meters) {
    Waiters waiters = new Waiters(capacity);
    Gauge.builder("seckill.result.waiters", waiters, Waiters::size)
        .description("Buyers who wait for the end of a purchase")
        .register(meters);
    context.addLifecycleStrategy(
        new LifecycleStrategySupport() {
          @Override
          public void onContextStopping(CamelContext stopping) {
            waiters.close();
          }
        });
    return waiters;
  }

  @BindToRegistry
  public PendingTime pendingTime() {
    return new PendingTime(System::nanoTime);
  }

  @BindToRegistry(lazy = true)
  public AwaitEndStep awaitEnd(@BeanInject("waiters") Waiters waiters) {
    return new AwaitEndStep(waiters);
  }
}
