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
   * @param settings rows of {@code sql/rates.sql}; a rate of null keeps these limits
   */
  RateLimits changedBy(List<RateSetting> settings) {
    int[] kinds = {address, user, product, activity};
    Map<Long, Integer> single = new HashMap<>(activities);
    for (RateSetting setting : settings) {
      if (setting.ratePerSecond() == null) {
        continue;
      }
      if (setting.isOfAll()) {
        kinds[Limit.of(setting.scope()).ordinal()] = setting.ratePerSecond();
      } else {
        single.put(setting.subjectId(), setting.ratePerSecond());
      }
    }
    return new RateLimits(kinds[0], kinds[1], kinds[2], kinds[3], single);
  }
}
