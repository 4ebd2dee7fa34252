package io.seckill.rate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests a second that this node lets in; 0 for no limit.
 *
 * @param address rate of one client address
 * @param user rate of one user
 * @param product rate of a product whose sale has no rate, and of all unknown products together
 * @param activity rate of an activity that is missing in {@code activities}
 * @param activities rates by activity
 */
public record RateLimits(
    int address, int user, int product, int activity, Map<Long, Integer> activities) {

  /**
   * @throws IllegalArgumentException when a rate is negative
   */
  public RateLimits {
    if (address < 0 || user < 0 || product < 0 || activity < 0) {
      throw new IllegalArgumentException(
          "A rate of seckill.throttle.* is requests a second, 0 for no limit; it cannot be negative");
    }
    activities = Map.copyOf(activities);
  }

  /** The rate of a kind of limit. */
  public int of(Limit limit) {
    return switch (limit) {
      case ADDRESS -> address;
      case USER -> user;
      case PRODUCT -> product;
      case ACTIVITY -> activity;
    };
  }

  /** The rate of this activity. */
  public int ofActivity(long activityId) {
    return activities.getOrDefault(activityId, activity);
  }

  /**
   * These limits with the changes that operators made.
   *
   * @param rows rows of {@code sql/rates.sql}; a rate of null keeps these limits
   */
  RateLimits changedBy(List<Map<String, Object>> rows) {
    int[] kinds = {address, user, product, activity};
    Map<Long, Integer> single = new HashMap<>(activities);
    for (Map<String, Object> row : rows) {
      Number rate = (Number) row.get("rate_per_second");
      long subject = ((Number) row.get("subject_id")).longValue();
      if (rate == null) {
        continue;
      }
      if (subject == 0) {
        kinds[Limit.of((String) row.get("scope")).ordinal()] = rate.intValue();
      } else {
        single.put(subject, rate.intValue());
      }
    }
    return new RateLimits(kinds[0], kinds[1], kinds[2], kinds[3], single);
  }
}
