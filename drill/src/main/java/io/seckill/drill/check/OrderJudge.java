package io.seckill.drill.check;

import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.Purchase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges I3, I4, I6 and I7: MySQL's rows against stock, buyers, clients and entries. */
final class OrderJudge {
  private OrderJudge() {}

  static void judge(Facts facts, Findings findings) {
    for (Event.AtRest stage : facts.stages()) {
      for (long productId : facts.sales().keySet()) {
        oversell(facts, stage.stage(), productId, findings);
        count(facts, stage.stage(), productId, findings);
        onePerBuyer(facts, stage.stage(), productId, findings);
      }
      facts
          .tracks()
          .forEach((purchase, track) -> bothWays(purchase, track, stage.stage(), findings));
    }
    facts.tracks().forEach((purchase, track) -> fromNowhere(purchase, track, findings));
    toldTwice(facts, findings);
  }

  private static void oversell(Facts facts, String stage, long productId, Findings findings) {
    findings.checked(Invariant.I3);
    long committed = facts.committed(stage, productId);
    long issued = facts.issued(productId);
    findings.term(
        Invariant.I3, "product %d at %s: C %d <= %d", productId, stage, committed, issued);
    if (committed <= issued) {
      return;
    }
    boolean named =
        facts
            .history()
            .all(Event.LedgerSaid.class)
            .anyMatch(
                said ->
                    said.stage().equals(stage)
                        && said.productId() == productId
                        && !said.balanced());
    if (facts.isOversoldByLoss(stage, productId) && named) {
      findings.exempt(
          Invariant.I3,
          "product %d: C %d > %d after Redis lost acknowledged data (strategy A); the ledger names"
              + " it",
          productId,
          committed,
          issued);
      return;
    }
    List<Event> evidence = new ArrayList<>(facts.rows(stage, productId));
    facts.book(stage, productId).ifPresent(evidence::add);
    findings.breach(
        Invariant.I3,
        "oversold",
        productId,
        "C " + committed + " > put on sale " + issued,
        evidence);
  }

  private static void count(Facts facts, String stage, long productId, Findings findings) {
    Optional<Event.ProductFound> found = facts.product(stage, productId);
    if (found.isEmpty()) {
      return;
    }
    findings.checked(Invariant.I3);
    Event.ProductFound product = found.get();
    List<Event> evidence = new ArrayList<>(List.of(product));
    if (product.count() != product.ledgerSum()) {
      findings.breach(
          Invariant.I3,
          "ledger",
          productId,
          "count " + product.count() + ", the stock ledger adds up to " + product.ledgerSum(),
          evidence);
    }
    if (facts.isStrategyB()) {
      long expected = facts.issued(productId) - facts.committed(stage, productId);
      findings.term(
          Invariant.I3,
          "product %d at %s: count %d = put on sale - C = %d",
          productId,
          stage,
          product.count(),
          expected);
      if (product.count() != expected) {
        findings.breach(
            Invariant.I3,
            "count",
            productId,
            "count " + product.count() + ", put on sale - C = " + expected,
            evidence);
      }
    }
  }

  private static void onePerBuyer(Facts facts, String stage, long productId, Findings findings) {
    Map<Long, List<Event.RowFound>> byBuyer = new LinkedHashMap<>();
    facts.rows(stage, productId).stream()
        .filter(Event.RowFound::isSuccess)
        .forEach(row -> byBuyer.computeIfAbsent(row.userId(), id -> new ArrayList<>()).add(row));
    byBuyer.forEach(
        (userId, rows) -> {
          findings.checked(Invariant.I4);
          if (rows.size() > 1) {
            findings.breach(
                Invariant.I4,
                "two-orders",
                productId + ":" + userId,
                rows.size() + " SUCCESS rows",
                rows);
          }
        });
    findings.term(
        Invariant.I4,
        "product %d at %s: %d buyers hold %d orders",
        productId,
        stage,
        byBuyer.size(),
        byBuyer.values().stream().mapToInt(List::size).sum());
  }

  /** Checks whether a buyer was told of two orders, whatever MySQL has. */
  private static void toldTwice(Facts facts, Findings findings) {
    Map<String, Map<Purchase, Event>> told = new LinkedHashMap<>();
    facts
        .tracks()
        .forEach(
            (purchase, track) -> {
              track.attempts.stream()
                  .filter(attempt -> isSuccess(attempt.answer()))
                  .forEach(it -> tell(told, purchase, it));
              track.looks.stream()
                  .filter(look -> isSuccess(look.answer()))
                  .forEach(it -> tell(told, purchase, it));
            });
    told.forEach(
        (buyer, orders) -> {
          findings.checked(Invariant.I4);
          if (orders.size() > 1) {
            findings.breach(
                Invariant.I4,
                "told-two-orders",
                buyer,
                "told SUCCESS for " + orders.keySet(),
                orders.values());
          }
        });
  }

  private static void tell(
      Map<String, Map<Purchase, Event>> told, Purchase purchase, Event answered) {
    told.computeIfAbsent(
            purchase.productId() + ":" + purchase.userId(), buyer -> new LinkedHashMap<>())
        .putIfAbsent(purchase, answered);
  }

  private static boolean isSuccess(Answer answer) {
    return "SUCCESS".equals(answer.status());
  }

  private static void fromNowhere(Purchase purchase, Facts.Track track, Findings findings) {
    for (Event.RowFound row : track.rows) {
      findings.checked(Invariant.I6);
      boolean known =
          track.attempts.stream()
              .anyMatch(
                  attempt ->
                      (attempt.answer().isReserved() || attempt.answer().isUnknown())
                          && attempt.quantity() == row.quantity()
                          && attempt.productId() == row.productId()
                          && attempt.userId() == row.userId());
      if (!known) {
        findings.breach(
            Invariant.I6,
            track.attempts.isEmpty() ? "nobody-asked" : "refused",
            purchase,
            "a " + row.status() + " row of " + row.quantity() + " units exists",
            track.evidence());
      }
    }
    for (Event.EntryFound entry : track.entries) {
      findings.checked(Invariant.I6);
      if (track.attempts.stream()
          .noneMatch(it -> it.answer().isReserved() || it.answer().isUnknown())) {
        findings.breach(
            Invariant.I6,
            "entry",
            purchase,
            "a " + entry.status() + " entry exists",
            track.evidence());
      }
    }
  }

  private static void bothWays(
      Purchase purchase, Facts.Track track, String stage, Findings findings) {
    List<Event.RowFound> rows = track.rows(stage);
    List<Event.EntryFound> entries = track.entries(stage);
    if (rows.isEmpty() && entries.isEmpty()) {
      return;
    }
    findings.checked(Invariant.I7);
    boolean sold = rows.stream().anyMatch(Event.RowFound::isSuccess);
    boolean failed = rows.stream().anyMatch(row -> !row.isSuccess());
    boolean released = entries.stream().anyMatch(entry -> entry.status().startsWith("FAIL"));
    boolean confirmed = entries.stream().anyMatch(entry -> entry.status().equals("SUCCESS"));
    if (sold && released) {
      findings.breach(
          Invariant.I7,
          "sold-and-released",
          purchase,
          "MySQL holds its order, Redis gave its units back",
          track.evidence());
    }
    if (failed && confirmed) {
      findings.breach(
          Invariant.I7,
          "failed-and-confirmed",
          purchase,
          "MySQL holds its tombstone, Redis counts it as sold",
          track.evidence());
    }
    if (sold && failed) {
      findings.breach(
          Invariant.I7,
          "order-and-tombstone",
          purchase,
          "MySQL holds an order and a tombstone of it",
          track.evidence());
    }
    if (released && confirmed) {
      findings.breach(
          Invariant.I7,
          "two-entries",
          purchase,
          "Redis holds it as sold and as failed",
          track.evidence());
    }
    if (released && rows.isEmpty()) {
      findings.breach(
          Invariant.I7,
          "released-without-tombstone",
          purchase,
          "Redis gave its units back, MySQL has no row that says so",
          track.evidence());
    }
  }
}
