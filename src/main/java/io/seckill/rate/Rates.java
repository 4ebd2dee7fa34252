package io.seckill.rate;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Token buckets before the purchases: one for each client address, user, product and activity. Each
 * holds the tokens of one second. Each node has its own buckets, so n nodes let in n times as much.
 *
 * <p>A purchase takes a token of each limit that applies, in the order of {@link Limit}. When a
 * bucket is empty the purchase is refused and its other tokens go back, so a refused purchase
 * spends nothing. Never blocks. The given sizes and the number of known sales bound the memory.
 * Thread-safe.
 */
public final class Rates {
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final long UNKNOWN_PRODUCTS = 0;

  private record RatedBucket(int rate, Bucket bucket) {}

  private final SaleRegistry sales;
  private final RateLimits configured;
  private final LongSupplier nanoTime;
  private final BucketTable addresses;
  private final BucketTable users;
  private final Map<Long, RatedBucket> products = new ConcurrentHashMap<>();
  private final Map<Long, RatedBucket> activities = new ConcurrentHashMap<>();
  private volatile RateLimits inForce;

  /**
   * @param configured the rates where operators set none
   * @param maxAddresses how many client addresses to remember; with more, the least busy start
   *     again
   * @param maxUsers how many users to remember
   * @param nanoTime a monotonic clock
   */
  public Rates(
      SaleRegistry sales,
      RateLimits configured,
      int maxAddresses,
      int maxUsers,
      LongSupplier nanoTime) {
    this.sales = sales;
    this.configured = configured;
    this.inForce = configured;
    this.nanoTime = nanoTime;
    this.addresses = new BucketTable(maxAddresses, nanoTime);
    this.users = new BucketTable(maxUsers, nanoTime);
  }

  /** Takes the operators' rates, rows of {@code sql/rates.sql}. They hold from now on. */
  public void take(List<RateSetting> settings) {
    inForce = configured.changedBy(settings);
  }

  /** The rates that this node applies now. */
  public RateLimits inForce() {
    return inForce;
  }

  /** Whether the rate of client addresses is limited. */
  public boolean limitsAddresses() {
    return inForce.address() > 0;
  }

  /**
   * Checks the rate of a request's address, before anything else is known.
   *
   * @param address the client's address as a number
   */
  public Standing admitAddress(long address) {
    int rate = inForce.address();
    return standing(Limit.ADDRESS, rate, take(addresses, address, rate));
  }

  /**
   * Checks all other limits of a purchase. When one refuses, the address gets its token back.
   *
   * @param address the client's address as a number
   * @param before the result of {@link #admitAddress}; {@link Standing#UNLIMITED} without one
   */
  public Standing admit(long productId, long userId, long address, Standing before) {
    RateLimits limits = inForce;
    int addressRate = before.rate();
    long ofAddress = before.remaining();
    int userRate = limits.user();
    long ofUser = take(users, userId, userRate);
    if (ofUser < 0) {
      giveBack(addresses, address, addressRate);
      return Standing.refused(Limit.USER, userRate, -ofUser);
    }
    Sale sale = sales.find(productId).orElse(null);
    int productRate =
        sale == null || sale.ratePerSecond() == null ? limits.product() : sale.ratePerSecond();
    Bucket product =
        bucket(products, sale == null ? UNKNOWN_PRODUCTS : Long.valueOf(productId), productRate);
    long ofProduct = take(product);
    if (ofProduct < 0) {
      giveBack(addresses, address, addressRate);
      giveBack(users, userId, userRate);
      return Standing.refused(Limit.PRODUCT, productRate, -ofProduct);
    }
    Long activityId = sale == null ? null : sale.activityId();
    int activityRate = activityId == null ? 0 : limits.ofActivity(activityId);
    long ofActivity = take(bucket(activities, activityId, activityRate));
    if (ofActivity < 0) {
      giveBack(addresses, address, addressRate);
      giveBack(users, userId, userRate);
      if (product != null) {
        product.addTokens(1);
      }
      return Standing.refused(Limit.ACTIVITY, activityRate, -ofActivity);
    }
    long tightest = Math.min(Math.min(ofAddress, ofUser), Math.min(ofProduct, ofActivity));
    if (tightest == NO_LIMIT) {
      return Standing.UNLIMITED;
    }
    if (tightest == ofAddress) {
      return before;
    }
    if (tightest == ofUser) {
      return new Standing(Limit.USER, userRate, tightest, 0);
    }
    return tightest == ofProduct
        ? new Standing(Limit.PRODUCT, productRate, tightest, 0)
        : new Standing(Limit.ACTIVITY, activityRate, tightest, 0);
  }

  /** Checks the user's rate only. */
  public Standing admit(long userId) {
    int rate = inForce.user();
    return standing(Limit.USER, rate, take(users, userId, rate));
  }

  private static Standing standing(Limit limit, int rate, long left) {
    if (left == NO_LIMIT) {
      return Standing.UNLIMITED;
    }
    return left < 0 ? Standing.refused(limit, rate, -left) : new Standing(limit, rate, left, 0);
  }

  /** As {@link #take(Bucket)}. */
  private static long take(BucketTable table, long key, int rate) {
    return rate == 0 ? NO_LIMIT : table.take(key, rate);
  }

  private static void giveBack(BucketTable table, long key, int rate) {
    if (rate > 0) {
      table.giveBack(key, rate);
    }
  }

  /** Takes a token; returns the tokens left, or the negative nanoseconds until the next. */
  private static long take(Bucket bucket) {
    if (bucket == null) {
      return NO_LIMIT;
    }
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return probe.isConsumed()
        ? probe.getRemainingTokens()
        : -Math.max(1, probe.getNanosToWaitForRefill());
  }

  /** The bucket of this key; a new full one after a change of the rate; null without a rate. */
  private Bucket bucket(Map<Long, RatedBucket> buckets, Long key, int rate) {
    if (rate == 0) {
      return null;
    }
    RatedBucket known = buckets.get(key);
    if (known != null && known.rate() == rate) {
      return known.bucket();
    }
    return buckets
        .compute(
            key,
            (id, old) ->
                old != null && old.rate() == rate ? old : new RatedBucket(rate, bucket(rate)))
        .bucket();
  }

  private Bucket bucket(int perSecond) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .withSynchronizationStrategy(SynchronizationStrategy.LOCK_FREE)
        .withCustomTimePrecision(
            new TimeMeter() {
              @Override
              public long currentTimeNanos() {
                return nanoTime.getAsLong();
              }

              @Override
              public boolean isWallClockBased() {
                return false;
              }
            })
        .build();
  }
}
