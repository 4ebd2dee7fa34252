package io.seckill.rate;

import java.util.Locale;

/** The limits on the rate of purchases, in the order in which they are checked. */
public enum Limit {
  /** The client's address. */
  ADDRESS,
  /** The buyer. */
  USER,
  /** The product; all unknown products share one bucket. */
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
   * @throws IllegalArgumentException for an unknown name
   */
  public static Limit of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
