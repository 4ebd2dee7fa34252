package io.seckill.contract;

/** Rates in minimal mode. */
class MinimalRatesIT extends RatesSuite {
  MinimalRatesIT() {
    super(Mode.MINIMAL, "ratesminimal", 9);
  }
}
