package io.seckill.drill.check;

import io.seckill.drill.history.Event;
import java.util.List;

/** The checker's findings in one history. */
public record Verdict(Event.Begin begin, List<Judgement> judgements) {
  public Verdict {
    judgements = List.copyOf(judgements);
  }

  /**
   * @param checked number of facts compared with the invariant; 0 when it was not judged
   * @param terms the invariant's terms with this run's numbers
   * @param exempt cases that the invariant does not cover
   */
  public record Judgement(
      Invariant invariant,
      long checked,
      List<String> terms,
      List<String> exempt,
      List<Breach> breaches) {
    public Judgement {
      terms = List.copyOf(terms);
      exempt = List.copyOf(exempt);
      breaches = List.copyOf(breaches);
    }
  }

  public List<Breach> breaches() {
    return judgements.stream().flatMap(judgement -> judgement.breaches().stream()).toList();
  }

  public boolean holds() {
    return breaches().isEmpty();
  }

  public Judgement of(Invariant invariant) {
    return judgements.get(invariant.ordinal());
  }
}
