package io.seckill.admin;

import io.seckill.answer.Refusal;
import io.seckill.rate.Limit;
import io.seckill.rate.RateLimits;
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
  /** The subject of a row for all subjects of a kind. */
  private static final long ALL = 0;

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
   * Reads {@code {"address", "user", "product", "activity"}}: requests a second, 0 for no limit; a
   * member that is absent or null goes back to the property.
   *
   * @return rows for rate-set.sql
   * @throws Refusal 400 INVALID_REQUEST
   */
  public List<Map<String, Object>> limits(byte[] body) {
    Members members = Members.of(body, LIMITS, "the limits");
    return Arrays.stream(Limit.values())
        .map(limit -> row(limit, ALL, members.rate(limit.label(), 0)))
        .toList();
  }

  /**
   * Reads {@code {"ratePerSecond"}} of an activity; null goes back to what holds for all.
   *
   * @return rows for rate-set.sql
   * @throws Refusal 400 INVALID_REQUEST
   */
  public List<Map<String, Object>> activity(long activityId, byte[] body) {
    Members members = Members.of(body, Set.of(RATE), "an activity");
    return List.of(row(Limit.ACTIVITY, activityId, members.rate(RATE, 1)));
  }

  private static Map<String, Object> row(Limit scope, long subjectId, Integer rate) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("scope", scope.label());
    row.put("subjectId", subjectId);
    row.put(RATE, rate);
    return row;
  }

  /**
   * What is answered of the limits: what operators set, null where nothing, and what this node goes
   * by.
   *
   * @param rows of rates.sql
   */
  public Map<String, Object> viewLimits(List<Map<String, Object>> rows) {
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

  private static Object set(List<Map<String, Object>> rows, Limit limit) {
    return rows.stream()
        .filter(row -> ((Number) row.get("subject_id")).longValue() == ALL)
        .filter(row -> limit.label().equals(row.get("scope")))
        .map(row -> row.get("rate_per_second"))
        .filter(rate -> rate != null)
        .findFirst()
        .orElse(null);
  }

  /** What {@code GET /admin/activities} answers of the rows of activities.sql. */
  public Map<String, Object> list(List<Map<String, Object>> rows) {
    return Map.of("activities", rows.stream().map(this::viewActivity).toList());
  }

  /** What is answered of one activity, a row of activities.sql. */
  public Map<String, Object> viewActivity(Map<String, Object> row) {
    long activityId = ((Number) row.get("activity_id")).longValue();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("activityId", activityId);
    view.put(RATE, row.get("rate_per_second"));
    view.put("effective", rates.inForce().ofActivity(activityId));
    view.put("sales", row.get("sales"));
    return view;
  }
}
