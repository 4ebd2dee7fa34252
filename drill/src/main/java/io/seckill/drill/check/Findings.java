package io.seckill.drill.check;

import io.seckill.drill.history.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects the judges' findings. */
final class Findings {
  /** At most so many breaches of one kind are kept; the others are counted. */
  private static final int KEEP = 20;

  private static final class Tally {
    private long checked;
    private final Map<String, Integer> byCode = new TreeMap<>();
    private final List<String> terms = new ArrayList<>();
    private final List<String> exempt = new ArrayList<>();
    private final List<Breach> breaches = new ArrayList<>();
  }

  private final Map<Invariant, Tally> tallies = new EnumMap<>(Invariant.class);

  Findings() {
    for (Invariant invariant : Invariant.values()) {
      tallies.put(invariant, new Tally());
    }
  }

  void checked(Invariant invariant) {
    tallies.get(invariant).checked++;
  }

  void term(Invariant invariant, String format, Object... arguments) {
    tallies.get(invariant).terms.add(String.format(Locale.ROOT, format, arguments));
  }

  void exempt(Invariant invariant, String format, Object... arguments) {
    tallies.get(invariant).exempt.add(String.format(Locale.ROOT, format, arguments));
  }

  void breach(
      Invariant invariant,
      String code,
      Object subject,
      String text,
      Collection<? extends Event> evidence) {
    Tally tally = tallies.get(invariant);
    if (tally.byCode.merge(code, 1, Integer::sum) <= KEEP) {
      tally.breaches.add(
          new Breach(invariant, code, subject.toString(), text, List.copyOf(evidence)));
    }
  }

  List<Verdict.Judgement> judgements() {
    return Arrays.stream(Invariant.values())
        .map(
            invariant -> {
              Tally tally = tallies.get(invariant);
              tally.byCode.forEach(
                  (code, count) -> {
                    if (count > KEEP) {
                      tally.terms.add(count - KEEP + " more breaches of the kind " + code);
                    }
                  });
              return new Verdict.Judgement(
                  invariant, tally.checked, tally.terms, tally.exempt, tally.breaches);
            })
        .toList();
  }
}
