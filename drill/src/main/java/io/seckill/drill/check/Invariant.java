package io.seckill.drill.check;

/** The invariants, which must hold whatever breaks. All amounts are units. */
public enum Invariant {
  I1("available + pending + sold + writtenOff = initial + restocked in every snapshot; each >= 0"),
  I2("sold <= C <= sold + pending at any time; at rest pending = 0 and sold = C"),
  I3("C <= initial + restocked, and MySQL's own count agrees"),
  I4("at most one SUCCESS order per user and product"),
  I5("every 202 reaches exactly one terminal status in bounded time, and it never changes"),
  I6("no order without a reservation that was answered to, or attempted by, a client"),
  I7("no reservation is both SUCCESS and released"),
  I8("a reserved key gives the same answer for ever; another user's key reveals nothing"),
  I9("no undersell: if enough buyers ask, every unit is sold or written off"),
  I10("replaying a dead letter, a message or a compensation n times equals once"),
  I11("a sale that has ended admits nobody, and its settlement equals its orders"),
  I12("an operator's call is done or refused with a reason; once all is healed, no alarm stays on");

  private final String sentence;

  Invariant(String sentence) {
    this.sentence = sentence;
  }

  /** The rule; C stands for the units of SUCCESS rows in MySQL. */
  public String sentence() {
    return sentence;
  }
}
