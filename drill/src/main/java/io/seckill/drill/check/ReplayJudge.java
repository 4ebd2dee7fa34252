package io.seckill.drill.check;

import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.Purchase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges I10: one row for each reservation, and no change after everything was delivered again. */
final class ReplayJudge {
  private ReplayJudge() {}

  static void judge(Facts facts, Findings findings) {
    for (Event.AtRest stage : facts.stages()) {
      facts.tracks().forEach((purchase, track) -> oneRow(purchase, track, stage.stage(), findings));
    }
    boolean replayed = facts.stages().stream().anyMatch(it -> it.stage().equals(Facts.REPLAYED));
    if (!replayed) {
      return;
    }
    facts.tracks().forEach((purchase, track) -> sameRows(purchase, track, findings));
    for (long productId : facts.sales().keySet()) {
      sameBook(facts, productId, findings);
      sameCount(facts, productId, findings);
    }
  }

  private static void oneRow(
      Purchase purchase, Facts.Track track, String stage, Findings findings) {
    List<Event.RowFound> rows = track.rows(stage);
    if (rows.isEmpty()) {
      return;
    }
    findings.checked(Invariant.I10);
    if (rows.size() > 1) {
      findings.breach(Invariant.I10, "two-rows", purchase, rows.size() + " rows", track.evidence());
    }
  }

  private static void sameRows(Purchase purchase, Facts.Track track, Findings findings) {
    findings.checked(Invariant.I10);
    Map<Long, String> before = rows(track.rows(Facts.REST));
    Map<Long, String> after = rows(track.rows(Facts.REPLAYED));
    if (!before.equals(after)) {
      findings.breach(
          Invariant.I10,
          "rows-differ",
          purchase,
          "rows before " + before + ", after the replay " + after,
          track.evidence());
    }
  }

  private static Map<Long, String> rows(List<Event.RowFound> rows) {
    Map<Long, String> byId = new LinkedHashMap<>();
    rows.forEach(row -> byId.put(row.id(), row.status() + " x " + row.quantity()));
    return byId;
  }

  private static void sameBook(Facts facts, long productId, Findings findings) {
    Optional<Event.BookFound> before = facts.book(Facts.REST, productId);
    Optional<Event.BookFound> after = facts.book(Facts.REPLAYED, productId);
    if (before.isEmpty() || after.isEmpty()) {
      return;
    }
    findings.checked(Invariant.I10);
    Book first = before.get().book();
    Book second = after.get().book();
    findings.term(
        Invariant.I10,
        first.equals(second)
            ? "product %d: the book after the replay is that before it: %s"
            : "product %d before the replay: %s; after it: %s",
        productId,
        first.terms(),
        second.terms());
    if (!first.equals(second)) {
      List<Event> evidence = new ArrayList<>(List.of(before.get(), after.get()));
      findings.breach(
          Invariant.I10,
          "book-differs",
          productId,
          "before " + first + ", after the replay " + second,
          evidence);
    }
  }

  private static void sameCount(Facts facts, long productId, Findings findings) {
    Optional<Event.ProductFound> before = facts.product(Facts.REST, productId);
    Optional<Event.ProductFound> after = facts.product(Facts.REPLAYED, productId);
    if (before.isEmpty() || after.isEmpty()) {
      return;
    }
    findings.checked(Invariant.I10);
    if (before.get().count() != after.get().count()) {
      findings.breach(
          Invariant.I10,
          "count-differs",
          productId,
          "count " + before.get().count() + ", after the replay " + after.get().count(),
          List.of(before.get(), after.get()));
    }
  }
}
