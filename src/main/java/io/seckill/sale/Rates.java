package io.seckill.sale;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Token buckets in front of the purchases: one a user and one a product, each holding one second's
 * worth. They are this node's own: n nodes let in n times as much. Never blocks; memory is bounded
 * by the users remembered and the sales known.
 */
public final class Rates {
  /** What {@link #admit} gives when the request may go on. */
  public static final long ADMITTED = 0;

  private static final Duration USER_MEMORY = Duration.ofSeconds(10);

  private record ProductBucket(int rate, Bucket bucket) {}

  private static final long UNKNOWN_PRODUCTS = 0;

  private final SaleRegistry sales;
  private final int productRate;
  private final int userRate;
  private final Cache<Long, Bucket> users;
  private final Map<Long, ProductBucket> products = new ConcurrentHashMap<>();

  /**
   * @param productRate requests a second of a product whose sale says nothing else, and of all
   *     unknown products together; 0: no limit
   * @param userRate requests a second of one user; 0: no limit
   * @param maxUsers how many users are remembered; beyond that the oldest start afresh
   */
  public Rates(SaleRegistry sales, int productRate, int userRate, long maxUsers) {
    this.sales = sales;
    this.productRate = productRate;
    this.userRate = userRate;
    this.users =
        Caffeine.newBuilder()
            .maximumSize(maxUsers)
            .expireAfterAccess(USER_MEMORY)
            .executor(Runnable::run)
            .build();
  }

  /**
   * Takes a token of the user, then one of the product.
   *
   * @return {@link #ADMITTED}, or the nanoseconds until a token is there
   */
  public long admit(long productId, long userId) {
    if (userRate > 0) {
      long wait = take(users.get(userId, id -> bucket(userRate)));
      if (wait != ADMITTED) {
        return wait;
      }
    }
    Sale sale = sales.find(productId).orElse(null);
    int rate = sale == null || sale.ratePerSecond() == null ? productRate : sale.ratePerSecond();
    return rate > 0 ? take(product(sale == null ? UNKNOWN_PRODUCTS : productId, rate)) : ADMITTED;
  }

  private Bucket product(long productId, int rate) {
    ProductBucket known = products.get(productId);
    if (known != null && known.rate() == rate) {
      return known.bucket();
    }
    return products
        .compute(
            productId,
            (id, old) ->
                old != null && old.rate() == rate ? old : new ProductBucket(rate, bucket(rate)))
        .bucket();
  }

  private static long take(Bucket bucket) {
    if (bucket.tryConsume(1)) {
      return ADMITTED;
    }
    return Math.max(1, bucket.estimateAbilityToConsume(1).getNanosToWaitForRefill());
  }

  private static Bucket bucket(int perSecond) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .withSynchronizationStrategy(SynchronizationStrategy.LOCK_FREE)
        .build();
  }
}
