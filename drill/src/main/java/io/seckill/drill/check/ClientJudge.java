package io.seckill.drill.check;

import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.Purchase;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges I5 and I8: the answers that clients got. */
final class ClientJudge {
  private static final String KEY_REUSED = "KEY_REUSED";

  private ClientJudge() {}

  static void judge(Facts facts, Findings findings) {
    facts
        .tracks()
        .forEach(
            (purchase, track) -> {
              ended(facts, purchase, track, findings);
              sameAnswer(facts, purchase, track, findings);
              privacy(purchase, track, findings);
            });
    bounded(facts, findings);
    summary(facts, findings);
  }

  /** The answers about a purchase that its owner got from attempts and looks, in order of time. */
  private static Stream<Answer> answers(Purchase purchase, Facts.Track track) {
    return Stream.concat(
            track.attempts.stream().map(attempt -> Map.entry(attempt.end(), attempt.answer())),
            track.looks.stream()
                .filter(look -> look.asker() == purchase.userId())
                .map(look -> Map.entry(look.end(), look.answer())))
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue);
  }

  private static void ended(Facts facts, Purchase purchase, Facts.Track track, Findings findings) {
    List<Answer> terminal = answers(purchase, track).filter(Answer::isTerminal).distinct().toList();
    if (!terminal.isEmpty()) {
      findings.checked(Invariant.I5);
      Set<String> told =
          terminal.stream()
              .map(answer -> answer.status() + " " + answer.orderId())
              .collect(Collectors.toSet());
      if (told.size() > 1) {
        findings.breach(Invariant.I5, "changed", purchase, "told " + told, track.evidence());
      }
    }
    Optional<String> stage = facts.lastStage();
    boolean reserved = track.reserved().isPresent();
    boolean exists = !track.rows.isEmpty() || !track.entries.isEmpty();
    if (stage.isEmpty() || !(reserved || exists)) {
      return;
    }
    findings.checked(Invariant.I5);
    if (terminal.isEmpty()) {
      if (facts.isLostByRedis(track) && track.entries.isEmpty()) {
        findings.exempt(
            Invariant.I5, "%s: Redis lost the reservation before Kafka or MySQL knew it", purchase);
      } else {
        findings.breach(
            Invariant.I5,
            reserved ? "never-ended" : "never-ended-unanswered",
            purchase,
            "the buyer was never told how it ended",
            track.evidence());
      }
      return;
    }
    Answer last = terminal.get(terminal.size() - 1);
    for (Event.RowFound row : track.rows(stage.get())) {
      findings.checked(Invariant.I5);
      if (!row.status().equals(last.status())
          || (row.isSuccess() && !Objects.equals(last.orderId(), Long.toString(row.id())))) {
        findings.breach(
            Invariant.I5,
            "told-otherwise",
            purchase,
            "told " + last + ", MySQL holds " + row.status() + " as order " + row.id(),
            track.evidence());
      }
    }
    if (track.rows(stage.get()).isEmpty()) {
      findings.breach(
          Invariant.I5,
          "no-row",
          purchase,
          "told " + last + ", MySQL has no row of it",
          track.evidence());
    }
  }

  private static void bounded(Facts facts, Findings findings) {
    long bound = facts.begin().boundMillis();
    Optional<Long> healed =
        facts.history().all(Event.Healed.class).map(Event::at).max(Comparator.naturalOrder());
    for (Event.AtRest stage : facts.stages()) {
      findings.checked(Invariant.I5);
      if (!stage.quiet()) {
        findings.breach(
            Invariant.I5,
            "not-at-rest",
            stage.stage(),
            "something still moved when the drill stopped waiting",
            List.of(stage));
      }
      if (stage.stage().equals(Facts.REST) && healed.isPresent()) {
        long took = stage.at() - healed.get();
        findings.term(
            Invariant.I5, "at rest %d ms after the last fault healed, bound %d ms", took, bound);
        if (took > bound) {
          findings.breach(
              Invariant.I5,
              "too-late",
              stage.stage(),
              "at rest " + took + " ms after the last fault healed, the bound is " + bound,
              List.of(stage));
        }
      }
    }
  }

  private static void summary(Facts facts, Findings findings) {
    Map<String, Long> statuses = new LinkedHashMap<>();
    facts
        .tracks()
        .forEach(
            (purchase, track) -> {
              if (track.reserved().isPresent()) {
                String status =
                    answers(purchase, track)
                        .filter(Answer::isTerminal)
                        .map(Answer::status)
                        .reduce((first, second) -> second)
                        .orElse("none");
                statuses.merge(status, 1L, Long::sum);
              }
            });
    findings.term(
        Invariant.I5, "purchases that were answered 202, by what became of them: %s", statuses);
  }

  private static void sameAnswer(
      Facts facts, Purchase purchase, Facts.Track track, Findings findings) {
    Set<String> ids =
        answers(purchase, track)
            .filter(Answer::isReserved)
            .map(Answer::requestId)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    track.rows.forEach(row -> ids.add(row.requestId()));
    track.entries.forEach(entry -> ids.add(entry.requestId()));
    if (!ids.isEmpty()) {
      findings.checked(Invariant.I8);
    }
    if (ids.size() > 1) {
      findings.breach(
          Invariant.I8, "two-request-ids", purchase, "request ids " + ids, track.evidence());
    }
    Optional<Event.Attempt> reserved = track.reserved();
    if (reserved.isEmpty()) {
      return;
    }
    afterTerminal(purchase, track, findings);
    if (facts.mayBeForgotten(track)) {
      findings.exempt(
          Invariant.I8, "%s: reserved before Redis lost data, not in Kafka by then", purchase);
      return;
    }
    long since = reserved.get().end();
    int quantity = reserved.get().quantity();
    for (Event.Attempt attempt : track.attempts) {
      if (attempt.at() < since || attempt.answer().saysNothing()) {
        continue;
      }
      findings.checked(Invariant.I8);
      boolean sameQuantity = attempt.quantity() == quantity;
      if (sameQuantity && !attempt.answer().isReserved()) {
        findings.breach(
            Invariant.I8,
            "replay-refused",
            purchase,
            "reserved, then answered " + attempt.answer(),
            List.of(reserved.get(), attempt));
      }
      if (!sameQuantity && attempt.answer().isReserved()) {
        findings.breach(
            Invariant.I8,
            "key-reused",
            purchase,
            "reserved " + quantity + ", then accepted with quantity " + attempt.quantity(),
            List.of(reserved.get(), attempt));
      }
    }
    for (Event.Look look : track.looks) {
      if (look.at() < since || look.asker() != purchase.userId() || look.answer().saysNothing()) {
        continue;
      }
      findings.checked(Invariant.I8);
      if (look.answer().http() != 200) {
        findings.breach(
            Invariant.I8,
            "forgotten",
            purchase,
            "reserved, then a look-up answered " + look.answer(),
            List.of(reserved.get(), look));
      }
    }
  }

  /** What was told once has an end in MySQL, which nothing that Redis loses takes back. */
  private static void afterTerminal(Purchase purchase, Facts.Track track, Findings findings) {
    record Told(Event event, long from, long until, Answer answer) {}
    List<Told> told =
        Stream.concat(
                track.looks.stream()
                    .filter(look -> look.asker() == purchase.userId())
                    .map(look -> new Told(look, look.at(), look.end(), look.answer())),
                track.attempts.stream()
                    .filter(attempt -> !KEY_REUSED.equals(attempt.answer().code()))
                    .map(it -> new Told(it, it.at(), it.end(), it.answer())))
            .filter(each -> !each.answer().saysNothing())
            .toList();
    Optional<Told> first =
        told.stream()
            .filter(each -> each.answer().isTerminal())
            .min(Comparator.comparingLong(Told::until));
    first
        .flatMap(
            end ->
                told.stream()
                    .filter(each -> each.from() > end.until() && !each.answer().isTerminal())
                    .findFirst())
        .ifPresent(
            later ->
                findings.breach(
                    Invariant.I5,
                    later.answer().isReserved() ? "pending-again" : "ended-then-unknown",
                    purchase,
                    "told " + first.get().answer() + ", later " + later.answer(),
                    List.of(first.get().event(), later.event())));
  }

  private static void privacy(Purchase purchase, Facts.Track track, Findings findings) {
    for (Event.Look look : track.looks) {
      if (look.asker() == purchase.userId()) {
        continue;
      }
      findings.checked(Invariant.I8);
      if (look.answer().http() == 200 || look.answer().requestId() != null) {
        findings.breach(
            Invariant.I8,
            "revealed",
            purchase,
            "user " + look.asker() + " asked and was told " + look.answer(),
            List.of(look));
      }
    }
  }
}
