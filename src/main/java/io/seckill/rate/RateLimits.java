package io.seckill.rate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests a second that this node lets in; 0: no limit.
 *
 * @param address of one client address
 * @param user of one user
 * @param product of a product whose sale says nothing else, and of all unknown products together
 * @param activity of an activity that {@code activities} does not name
 * @param activities by activity
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

  /** What holds for all of a kind. */
  public int of(Limit limit) {
    return switch (limit) {
      case ADDRESS -> address;
      case USER -> user;
      case PRODUCT -> product;
      case ACTIVITY -> activity;
    };
  }

  /** What holds for this activity. */
  public int ofActivity(long activityId) {
    return activities.getOrDefault(activityId, activity);
  }

  /**
   * These limits, changed by what operators set.
   *
   * @param rows of {@code sql/rates.sql}; where a rate is null these stay
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
