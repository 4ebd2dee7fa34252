package io.seckill.drill.check;

import io.seckill.drill.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Judges I11 and I12: what operators were told, and what they rely on. Times are compared on the
 * clock of the drill alone.
 */
final class OperatorJudge {
  private OperatorJudge() {}

  static void judge(Facts facts, Findings findings) {
    for (long productId : facts.sales().keySet()) {
      ended(facts, productId, findings);
      paused(facts, productId, findings);
    }
    facts
        .history()
        .all(Event.SettlementFound.class)
        .forEach(found -> settlement(facts, found, findings));
    facts.history().all(Event.Asked.class).forEach(asked -> answered(asked, findings));
    facts.history().all(Event.AlarmsFound.class).forEach(found -> alarms(facts, found, findings));
  }

  /** A purchase that was asked for only after an operator was told of the end must not exist. */
  private static void ended(Facts facts, long productId, Findings findings) {
    OptionalLong ended = facts.ended(productId);
    if (ended.isEmpty()) {
      return;
    }
    long end = ended.getAsLong();
    facts
        .tracks()
        .forEach(
            (purchase, track) -> {
              if (purchase.productId() != productId
                  || track.attempts.stream().noneMatch(it -> it.at() > end)) {
                return;
              }
              findings.checked(Invariant.I11);
              boolean asked = mayBegin(track, end);
              boolean admitted = track.attempts.stream().anyMatch(it -> it.answer().isReserved());
              if (!asked && (admitted || !track.rows.isEmpty() || !track.entries.isEmpty())) {
                findings.breach(
                    Invariant.I11,
                    "admitted-after-end",
                    purchase,
                    "the sale had ended by " + end + " ms, and was asked for only later",
                    track.evidence());
              }
            });
  }

  /** Whether a request that was sent by then may have been admitted. */
  private static boolean mayBegin(Facts.Track track, long until) {
    return track.attempts.stream()
        .anyMatch(it -> it.at() <= until && (it.answer().isReserved() || it.answer().isUnknown()));
  }

  /** Between an acknowledged pause and the next wish to resume nobody new may be admitted. */
  private static void paused(Facts facts, long productId, Findings findings) {
    List<Event.Asked> calls =
        facts.history().all(Event.Asked.class).filter(it -> it.productId() == productId).toList();
    for (Event.Asked pause : calls) {
      if (!pause.action().equals("PAUSE") || !pause.isDone()) {
        continue;
      }
      findings.checked(Invariant.I12);
      long until =
          calls.stream()
              .filter(it -> it.action().equals("RESUME"))
              // without an answer it may be done at any time
              .filter(it -> it.isUnknown() || it.end() >= pause.at())
              .mapToLong(it -> Math.max(pause.end(), it.at()))
              .min()
              .orElse(Long.MAX_VALUE);
      facts
          .tracks()
          .forEach(
              (purchase, track) ->
                  track.attempts.stream()
                      .filter(it -> it.productId() == productId)
                      .filter(it -> it.at() > pause.end() && it.end() < until)
                      .filter(it -> it.answer().isReserved() && !mayBegin(track, pause.end()))
                      .findFirst()
                      .ifPresent(
                          admitted ->
                              findings.breach(
                                  Invariant.I12,
                                  "admitted-while-paused",
                                  purchase,
                                  "paused by " + pause.end() + " ms, resumed after " + until,
                                  List.of(pause, admitted))));
    }
  }

  private static void settlement(Facts facts, Event.SettlementFound found, Findings findings) {
    findings.checked(Invariant.I11);
    long productId = found.productId();
    long committed = facts.committed(found.stage(), productId);
    long orders =
        facts.rows(found.stage(), productId).stream().filter(Event.RowFound::isSuccess).count();
    long issued = facts.issued(productId);
    findings.term(
        Invariant.I11,
        "product %d at %s: settled %d orders of %d units, sold %d; MySQL holds %d of %d; put on"
            + " sale %d",
        productId,
        found.stage(),
        found.orders(),
        found.units(),
        found.sold(),
        orders,
        committed,
        issued);
    List<String> wrong = new ArrayList<>();
    compare(wrong, "orders", found.orders(), orders);
    compare(wrong, "units", found.units(), committed);
    compare(wrong, "initial + restocked", found.initial() + found.restocked(), issued);
    if (!facts.isOversoldByLoss(found.stage(), productId)) {
      compare(wrong, "sold", found.sold(), committed);
      compare(wrong, "discrepancy", found.discrepancy(), 0);
      if (found.details() != null) {
        wrong.add("it names " + found.details());
      }
      facts
          .product(found.stage(), productId)
          .ifPresent(product -> compare(wrong, "count", product.count(), issued - committed));
    }
    if (!wrong.isEmpty()) {
      List<Event> evidence = new ArrayList<>(List.of(found));
      facts.product(found.stage(), productId).ifPresent(evidence::add);
      evidence.addAll(facts.rows(found.stage(), productId));
      findings.breach(Invariant.I11, "settlement", productId, String.join("; ", wrong), evidence);
    }
  }

  private static void compare(List<String> wrong, String name, long settled, long right) {
    if (settled != right) {
      wrong.add(name + " is " + settled + ", not " + right);
    }
  }

  private static void answered(Event.Asked asked, Findings findings) {
    if (asked.http() == 0) {
      return;
    }
    findings.checked(Invariant.I12);
    if (!asked.isDone() && (asked.code() == null || asked.http() == 500)) {
      findings.breach(
          Invariant.I12,
          "no-reason",
          asked.productId(),
          asked.action() + " was answered " + asked.http() + " " + asked.code(),
          List.of(asked));
    }
  }

  private static void alarms(Facts facts, Event.AlarmsFound found, Findings findings) {
    findings.checked(Invariant.I12);
    if (!found.alarms().isEmpty()) {
      findings.breach(
          Invariant.I12,
          "alarm-stays-on",
          found.node(),
          String.join("; ", found.alarms()),
          List.of(found));
    }
  }
}
