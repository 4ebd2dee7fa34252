package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.sale.Sale;
import org.junit.jupiter.api.Test;

class RemainderTest {
  private static final Sale SALE =
      new Sale(7, "Phone", 8, 2, 1, null, null, null, null, Sale.State.OPEN, 1, true);

  private static Units units(long sold, long writtenOff) {
    return new Units(1, 1, sold, writtenOff, 0, "");
  }

  @Test
  void shouldSellInStrategyBWhatMySqlHolds() {
    assertThat(Remainder.ofStock(SALE, units(10, 3), 0)).isEqualTo(new Remainder(0, 0));
    assertThat(Remainder.ofStock(SALE, units(6, 3), 4)).isEqualTo(new Remainder(4, 0));
    assertThat(Remainder.ofStock(SALE, units(6, 3), 1)).isEqualTo(new Remainder(1, 3));
    assertThat(Remainder.ofStock(SALE, units(6, 3), 9)).isEqualTo(new Remainder(4, 0));
  }

  @Test
  void shouldWriteOffInStrategyAWhatTheTombstonesSayAsFarAsThereIsAny() {
    assertThat(Remainder.ofOrders(SALE, units(6, 3))).isEqualTo(new Remainder(1, 3));
    assertThat(Remainder.ofOrders(SALE, units(9, 3))).isEqualTo(new Remainder(0, 1));
  }

  @Test
  void shouldTellThatMoreWasSoldThanThereIs() {
    assertThat(Remainder.ofStock(SALE, units(11, 0), 0)).isEqualTo(new Remainder(-1, 0));
    assertThat(Remainder.ofOrders(SALE, units(12, 1))).isEqualTo(new Remainder(-2, 0));
  }
}
