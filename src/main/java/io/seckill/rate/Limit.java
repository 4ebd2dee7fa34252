package io.seckill.rate;

import java.util.Locale;

/** What the rate of purchases is limited by, in the order in which it is judged. */
public enum Limit {
  /** The client's address. */
  ADDRESS,
  /** The buyer. */
  USER,
  /** The product asked for; all unknown products together. */
  PRODUCT,
  /** The sales of one activity together. */
  ACTIVITY;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** The name in answers, metrics, administrative calls and MySQL. */
  public String label() {
    return label;
  }

  /**
   * The limit of this name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Limit of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
