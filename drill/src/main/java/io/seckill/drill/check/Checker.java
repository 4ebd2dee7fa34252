package io.seckill.drill.check;

import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Judges a whole history (client events and dumps) against the invariants. It has no side effects
 * and does not know how the application works.
 */
public final class Checker {
  private static final int SHRINK_AT_MOST = 20;

  private Checker() {}

  /** Judges a history. Each breach holds the smallest part of the history that shows it. */
  public static Verdict check(History history) {
    Verdict verdict = judge(history);
    int[] shrunk = {0};
    return new Verdict(
        verdict.begin(),
        verdict.judgements().stream()
            .map(
                judgement ->
                    new Verdict.Judgement(
                        judgement.invariant(),
                        judgement.checked(),
                        judgement.terms(),
                        judgement.exempt(),
                        judgement.breaches().stream()
                            .map(
                                breach ->
                                    shrunk[0]++ < SHRINK_AT_MOST ? shrink(history, breach) : breach)
                            .toList()))
            .toList());
  }

  private static Verdict judge(History history) {
    Facts facts = new Facts(history);
    Findings findings = new Findings();
    BookJudge.judge(facts, findings);
    OrderJudge.judge(facts, findings);
    ClientJudge.judge(facts, findings);
    ReplayJudge.judge(facts, findings);
    OperatorJudge.judge(facts, findings);
    return new Verdict(facts.begin(), findings.judgements());
  }

  /**
   * Removes client events from the evidence as long as the breach still shows. Dumps stay, because
   * the history would not be true without them.
   */
  private static Breach shrink(History history, Breach breach) {
    Set<Event> frame =
        new HashSet<>(
            history.events().stream()
                .filter(
                    event ->
                        event instanceof Event.Begin
                            || event instanceof Event.SaleOpened
                            || event instanceof Event.Restocked
                            || event instanceof Event.RedisLost
                            || event instanceof Event.Rebuilt
                            || event instanceof Event.Healed
                            || event instanceof Event.Asked
                            || event instanceof Event.AtRest)
                .toList());
    List<Event> kept = new ArrayList<>(breach.evidence());
    if (!shows(history, frame, kept, breach)) {
      return breach;
    }
    for (int size = Math.max(1, kept.size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from < kept.size(); ) {
        List<Event> chunk =
            kept.subList(from, Math.min(kept.size(), from + size)).stream()
                .filter(Checker::isRemovable)
                .toList();
        List<Event> fewer = new ArrayList<>(kept);
        fewer.removeAll(chunk);
        if (!chunk.isEmpty() && shows(history, frame, fewer, breach)) {
          kept = fewer;
        } else {
          from += size;
        }
      }
    }
    return breach.with(kept);
  }

  private static boolean isRemovable(Event event) {
    return event instanceof Event.Attempt
        || event instanceof Event.Look
        || event instanceof Event.Observation;
  }

  private static boolean shows(
      History history, Set<Event> frame, List<Event> evidence, Breach breach) {
    Set<Event> wanted = new HashSet<>(evidence);
    wanted.addAll(frame);
    return judge(history.only(wanted::contains)).breaches().stream().anyMatch(breach::isSameAs);
  }
}
