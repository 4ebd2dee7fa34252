package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.rate.Limit;
import io.seckill.rate.RateLimits;
import io.seckill.rate.RateSetting;
import io.seckill.rate.Rates;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads operators' changes of rates, and shows the present rates. Rates hold for each node; where
 * operators set none, the node's property holds.
 */
public final class RateAdministration {
  private static final String RATE = "ratePerSecond";
  private static final Set<String> LIMITS =
      Arrays.stream(Limit.values()).map(Limit::label).collect(Collectors.toUnmodifiableSet());

  private final Rates rates;

  /**
   * @param rates the rates that this node applies
   */
  public RateAdministration(Rates rates) {
    this.rates = rates;
  }

  /**
   * Reads the activity in a path.
   *
   * @param header a list when the client also sent a header or query parameter of this name
   * @throws Refusal 400 INVALID_REQUEST
   */
  public long activityId(Object header) {
    return SaleRequests.id("activityId", header);
  }

  /**
   * Reads {@code {"address", "user", "product", "activity"}}: requests a second, 0 for no limit. An
   * absent or null member resets the rate to the property.
   *
   * @return rows for rate-set.sql
   * @throws Refusal 400 INVALID_REQUEST
   */
  public List<RateSetting> limits(byte[] body) {
    Members members = Members.of(body, LIMITS, "the limits");
    return Arrays.stream(Limit.values())
        .map(limit -> RateSetting.of(limit, members.rate(limit.label(), 0)))
        .toList();
  }

  /**
   * Reads {@code {"ratePerSecond"}} of an activity; null resets it to the rate of all activities.
   *
   * @return rows for rate-set.sql
   * @throws Refusal 400 INVALID_REQUEST
   */
  public List<RateSetting> activity(long activityId, byte[] body) {
    Members members = Members.of(body, Set.of(RATE), "an activity");
    return List.of(RateSetting.ofActivity(activityId, members.rate(RATE, 1)));
  }

  /**
   * The answer with the limits: the operators' settings, null for none, and the rates that this
   * node applies.
   *
   * @param rows rows of rates.sql
   */
  public Map<String, Object> viewLimits(List<RateSetting> rows) {
    RateLimits inForce = rates.inForce();
    Map<String, Object> view = new LinkedHashMap<>();
    Map<String, Object> effective = new LinkedHashMap<>();
    for (Limit limit : Limit.values()) {
      view.put(limit.label(), set(rows, limit));
      effective.put(limit.label(), inForce.of(limit));
    }
    view.put("effective", effective);
    return view;
  }

  private static Integer set(List<RateSetting> rows, Limit limit) {
    return rows.stream()
        .filter(row -> row.isOfAll(limit))
        .map(RateSetting::ratePerSecond)
        .filter(rate -> rate != null)
        .findFirst()
        .orElse(null);
  }

  /** The answer of {@code GET /admin/activities}, from rows of activities.sql. */
  public Map<String, Object> list(List<ActivityRow> rows) {
    return Map.of("activities", rows.stream().map(this::viewActivity).toList());
  }

  /** The answer with one activity, from a row of activities.sql. */
  public Map<String, Object> viewActivity(ActivityRow row) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("activityId", row.activityId());
    view.put(RATE, row.ratePerSecond());
    view.put("effective", rates.inForce().ofActivity(row.activityId()));
    view.put("sales", row.sales());
    return view;
  }
}
