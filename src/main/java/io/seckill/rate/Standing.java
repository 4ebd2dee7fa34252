package io.seckill.rate;

/**
 * How close a request is to its rates: the limit that refused it, or the limit with the fewest
 * requests left.
 *
 * @param limit null when no limit applies
 * @param rate requests a second
 * @param remaining requests that would pass now
 * @param waitNanos time until a request would pass; 0 when this one did
 */
public record Standing(Limit limit, int rate, long remaining, long waitNanos) {
  /** No limit applies. */
  public static final Standing UNLIMITED = new Standing(null, 0, Long.MAX_VALUE, 0);

  public boolean isRefused() {
    return waitNanos > 0;
  }

  static Standing refused(Limit limit, int rate, long waitNanos) {
    return new Standing(limit, rate, 0, Math.max(1, waitNanos));
  }
}
