package io.seckill.drill.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.drill.lab.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What a node asks its operators to look at: checks that are not up, and metrics with an alert. */
final class Alarms {
  private static final long PERIOD_NANOS = 200_000_000;

  /** Metrics that are 0, or below this, where all is well. */
  private static final Map<String, Double> LIMITS =
      Map.of(
          "seckill_ledger_imbalance_units", 0.0,
          "seckill_ledger_unbalanced_sales", 0.0,
          "seckill_books_lost", 0.0,
          "seckill_rebuild_required", 0.0,
          "seckill_admission_closed", 0.0,
          "seckill_breaker_state", 0.0,
          "seckill_outbox_age_seconds", 1.0,
          "seckill_pending_units", 0.0,
          "seckill_orders_lag", 0.0);

  private Alarms() {}

  /** The alarms of a node once none is left, or when the time is over. */
  static List<String> await(Application node, long millis) {
    Shop management = new Shop(node.managementUrl());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (true) {
      List<String> alarms = of(management);
      if (alarms.isEmpty() || System.nanoTime() > deadline) {
        return alarms;
      }
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  private static List<String> of(Shop management) {
    List<String> alarms = new ArrayList<>();
    Shop.Reply health = management.admin("GET", "/observe/health", null);
    if (!health.isOk() || !health.body().path("status").asText().equals("UP")) {
      alarms.add("health " + health.status());
    }
    for (JsonNode check : health.body().path("checks")) {
      if (!check.path("status").asText().equals("UP")) {
        alarms.add(check.toString());
      }
    }
    String metrics = management.text("/observe/metrics");
    if (metrics.isEmpty()) {
      alarms.add("no metrics");
    }
    metrics
        .lines()
        .filter(line -> !line.startsWith("#"))
        .filter(Alarms::isHigh)
        .forEach(alarms::add);
    return alarms;
  }

  /** {@code name{tags} value}. */
  private static boolean isHigh(String line) {
    Double limit = LIMITS.get(line.split("[{ ]", 2)[0]);
    return limit != null && Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)) > limit;
  }
}
