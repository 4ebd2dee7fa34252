package io.seckill.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;

/** Look-ups that MySQL had no row for, remembered so that polling cannot reach it each time. */
public final class MissedLookups {
  private final Cache<Lookup, Boolean> misses;

  /**
   * @param memory how long a miss counts, a second at most
   * @param size how many are remembered
   */
  public MissedLookups(Duration memory, long size) {
    misses =
        Caffeine.newBuilder()
            .expireAfterWrite(memory)
            .maximumSize(size)
            .executor(Runnable::run)
            .build();
  }

  public void add(Lookup lookup) {
    misses.put(lookup, Boolean.TRUE);
  }

  public boolean contains(Lookup lookup) {
    return misses.getIfPresent(lookup) != null;
  }
}
