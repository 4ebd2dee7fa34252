package io.seckill.api;

import java.time.Duration;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Configuration;

/** Makes the beans of result look-ups. */
@Configuration
public class ResultConfiguration {
  private static final Duration MISS_MEMORY = Duration.ofSeconds(1);
  private static final int MISSES_REMEMBERED = 100_000;

  @BindToRegistry
  public MissedLookups missedLookups() {
    return new MissedLookups(MISS_MEMORY, MISSES_REMEMBERED);
  }
}
