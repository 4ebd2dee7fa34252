package io.seckill.drill.check;

import io.seckill.drill.history.Event;
import java.util.List;

/**
 * A broken invariant.
 *
 * @param code the broken rule of the invariant, e.g. {@code never-ended}
 * @param subject the product or purchase concerned
 * @param text the terms, filled in
 * @param evidence the events that show it
 */
public record Breach(
    Invariant invariant, String code, String subject, String text, List<Event> evidence) {
  public Breach {
    evidence = List.copyOf(evidence);
  }

  boolean isSameAs(Breach other) {
    return invariant == other.invariant && code.equals(other.code) && subject.equals(other.subject);
  }

  Breach with(List<Event> smallerEvidence) {
    return new Breach(invariant, code, subject, text, smallerEvidence);
  }

  @Override
  public String toString() {
    return invariant + "/" + code + " " + subject + ": " + text;
  }
}
