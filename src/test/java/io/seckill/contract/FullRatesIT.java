package io.seckill.contract;

/** Rates in full mode. */
class FullRatesIT extends RatesSuite {
  FullRatesIT() {
    super(Mode.FULL_A, "ratesfull", 8);
  }
}
