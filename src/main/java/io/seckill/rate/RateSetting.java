package io.seckill.rate;

/**
 * A rate that operators set: a row of {@code sql/rates.sql}, and the parameters of {@code
 * sql/rate-set.sql}.
 *
 * @param scope the label of a {@link Limit}
 * @param subjectId the activity; 0 for all subjects of the kind
 * @param ratePerSecond null for the default
 */
public record RateSetting(String scope, long subjectId, Integer ratePerSecond) {
  private static final long ALL = 0;

  /** The setting for all subjects of a kind. */
  public static RateSetting of(Limit limit, Integer ratePerSecond) {
    return new RateSetting(limit.label(), ALL, ratePerSecond);
  }

  /** The setting for one activity. */
  public static RateSetting ofActivity(long activityId, Integer ratePerSecond) {
    return new RateSetting(Limit.ACTIVITY.label(), activityId, ratePerSecond);
  }

  /** Whether it is for all subjects of its kind. */
  boolean isOfAll() {
    return subjectId == ALL;
  }

  /** Whether it is for all subjects of this kind. */
  public boolean isOfAll(Limit limit) {
    return isOfAll() && scope.equals(limit.label());
  }
}
