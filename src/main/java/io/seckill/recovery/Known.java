package io.seckill.recovery;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Rows of {@code sql/rebuild-known.sql}: reservations that MySQL knows. */
final class Known {
  private Known() {}

  /** Their request ids. */
  static Set<String> ids(List<Map<String, Object>> rows) {
    return rows.stream().map(row -> (String) row.get("request_id")).collect(Collectors.toSet());
  }
}
