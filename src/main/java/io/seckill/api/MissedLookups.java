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

  /**
   * @param uncertain whether a book could not be asked: the miss counts only as long as that lasts
   */
  void add(Lookup lookup, boolean uncertain) {
    misses.put(lookup, uncertain);
  }

  /**
   * Whether MySQL need not be asked.
   *
   * @param uncertain whether a book cannot be asked now
   */
  boolean contains(Lookup lookup, boolean uncertain) {
    Boolean inUncertainty = misses.getIfPresent(lookup);
    return inUncertainty != null && (uncertain || !inUncertainty);
  }
}
