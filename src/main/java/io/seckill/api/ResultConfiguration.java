package io.seckill.api;

import io.seckill.rate.Rates;
import java.time.Duration;
import org.apache.camel.BeanInject;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;

/** Makes the beans of result look-ups. */
@Configuration
public class ResultConfiguration {
  private static final Duration MISS_MEMORY = Duration.ofSeconds(1);
  private static final int MISSES_REMEMBERED = 100_000;

  @BindToRegistry(lazy = true)
  public OrderQuestionSteps orderQuestions(@BeanInject("rates") Rates rates) {
    return new OrderQuestionSteps(new MissedLookups(MISS_MEMORY, MISSES_REMEMBERED), rates);
  }
}
