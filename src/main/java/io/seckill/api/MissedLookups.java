package io.seckill.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;

/**
 * Remembers look-ups that found no row in MySQL, so that polling does not reach MySQL each time. A
 * miss counts only among the same books: a request that came after it was in the book, and MySQL
 * alone may know it when that book is replaced by an older one.
 */
final class MissedLookups {
  private record Miss(boolean uncertain, long books) {}

  private final Cache<Lookup, Miss> misses;

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
   * @param books the version of what this node knew of the books when it asked
   */
  void add(Lookup lookup, boolean uncertain, long books) {
    misses.put(lookup, new Miss(uncertain, books));
  }

  /**
   * Whether MySQL need not be asked.
   *
   * @param uncertain whether a book cannot be asked now
   * @param books the version of what this node knows of the books
   */
  boolean contains(Lookup lookup, boolean uncertain, long books) {
    Miss miss = misses.getIfPresent(lookup);
    return miss != null && miss.books() == books && (uncertain || !miss.uncertain());
  }
}
