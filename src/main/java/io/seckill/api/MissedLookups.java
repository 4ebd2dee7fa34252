package io.seckill.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;

/**
 * Remembers look-ups that found no row in MySQL, so that polling does not reach MySQL each time.
 */
final class MissedLookups {
  private final Cache<Lookup, Boolean> misses;

  /**
   * @param memory how long a miss counts, at most a second
   * @param size how many are remembered
   */
  MissedLookups(Duration memory, long size) {
    misses =
        Caffeine.newBuilder()
            .expireAfterWrite(memory)
            .maximumSize(size)
            .executor(Runnable::run)
            .build();
  }

  void add(Lookup lookup) {
    misses.put(lookup, Boolean.TRUE);
  }

  boolean contains(Lookup lookup) {
    return misses.getIfPresent(lookup) != null;
  }
}
