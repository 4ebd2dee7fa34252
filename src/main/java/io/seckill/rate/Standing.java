package io.seckill.rate;

/**
 * How a request stands: with the limit that refused it, or with the tightest of those that let it
 * in, the one with the fewest requests left.
 *
 * @param limit null where no limit applies
 * @param rate requests a second
 * @param remaining requests that would be let in now
 * @param waitNanos until a request would be let in; 0 when this one was
 */
public record Standing(Limit limit, int rate, long remaining, long waitNanos) {
  /** Let in, for no limit applies. */
  public static final Standing UNLIMITED = new Standing(null, 0, Long.MAX_VALUE, 0);

  public boolean isRefused() {
    return waitNanos > 0;
  }

  static Standing refused(Limit limit, int rate, long waitNanos) {
    return new Standing(limit, rate, 0, Math.max(1, waitNanos));
  }
}
