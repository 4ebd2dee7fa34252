package io.seckill.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.seckill.admin.ShownAudit;
import io.seckill.console.Overview.Happening;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What happened lately: what operators did, and what this node found. Not thread-safe. */
final class Happenings {
  private static final int KEPT = 50;
  private static final JsonMapper JSON = new JsonMapper();

  private final Deque<Happening> kept = new ArrayDeque<>();
  private List<Happening> fresh = new ArrayList<>();
  private Set<Long> seen = new HashSet<>();
  private long found;

  /**
   * Takes the latest audit rows, newest first. A row may become visible after one with a higher id,
   * so rows are told apart by id and not by order.
   */
  void recorded(List<ShownAudit> rows) {
    Set<Long> ids = new HashSet<>();
    rows.forEach(row -> ids.add(row.id()));
    rows.stream()
        .filter(row -> !seen.contains(row.id()))
        .sorted(Comparator.comparingLong(ShownAudit::id))
        .forEach(row -> add(of(row)));
    seen = ids;
  }

  /** Takes what this node found itself. */
  void found(String kind, long at, Long productId, String detail) {
    add(new Happening("found-" + at + "-" + found++, at, kind, productId, null, detail));
  }

  private void add(Happening happening) {
    fresh.add(happening);
    kept.add(happening);
    if (kept.size() > KEPT) {
      kept.poll();
    }
  }

  /** What was added since the last call, oldest first. */
  List<Happening> fresh() {
    List<Happening> taken = fresh;
    fresh = new ArrayList<>();
    return taken;
  }

  /** The last fifty, oldest first. */
  List<Happening> latest() {
    return List.copyOf(kept);
  }

  private static Happening of(ShownAudit row) {
    JsonNode before = json(row.beforeChange());
    JsonNode after = json(row.afterChange());
    return new Happening(
        "audit-" + row.id(),
        row.createdAt(),
        kind(row.action(), before),
        row.productId(),
        row.operator(),
        row.deadLetterId() == null ? changes(before, after) : "dead letter " + row.deadLetterId());
  }

  private static String kind(String action, JsonNode before) {
    return switch (action) {
      case "PUT" -> before.isMissingNode() ? "CREATED" : "CHANGED";
      case "PATCH", "FOLLOW_BOOK" -> "CHANGED";
      case "STATE_PAUSED" -> "PAUSED";
      case "STATE_OPEN" -> "RESUMED";
      case "STATE_ENDED" -> "ENDED";
      case "RESTOCK" -> "RESTOCKED";
      case "SETTLE" -> "SETTLED";
      case "REBUILD" -> "REBUILT";
      case "PUT_LIMITS", "PUT_ACTIVITY" -> "RATES_CHANGED";
      case "REPLAY" -> "REPLAYED";
      case "COMPENSATE" -> "COMPENSATED";
      default -> action;
    };
  }

  /** Such as {@code ratePerSecond: null → 20}. */
  private static String changes(JsonNode before, JsonNode after) {
    List<String> changes = new ArrayList<>();
    after
        .properties()
        .forEach(
            member -> {
              JsonNode was = before.path(member.getKey());
              if (!before.isMissingNode() && !was.equals(member.getValue())) {
                changes.add(
                    member.getKey() + ": " + was.asText() + " → " + member.getValue().asText());
              }
            });
    return String.join(", ", changes);
  }

  private static JsonNode json(String text) {
    try {
      return text == null ? MissingNode.getInstance() : JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("admin_audit holds what is not JSON: " + text, e);
    }
  }
}
