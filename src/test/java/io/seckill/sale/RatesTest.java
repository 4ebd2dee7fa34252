package io.seckill.sale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RatesTest {
  private final SaleRegistry sales = new SaleRegistry();

  @Test
  void shouldLimitAUser() {
    Rates rates = new Rates(sales, 0, 3, 100);
    assertThat(admitted(rates, 10_000, 1)).isGreaterThanOrEqualTo(3).isLessThan(10_000);
    assertThat(rates.admit(8, 2)).isEqualTo(Rates.ADMITTED);
  }

  @Test
  void shouldTellHowLongToWait() {
    Rates rates = new Rates(sales, 0, 1, 100);
    long wait = LongStream.range(0, 1_000).map(i -> rates.admit(8, 1)).max().orElseThrow();
    assertThat(wait).isPositive().isLessThanOrEqualTo(1_000_000_000L);
  }

  @Test
  void shouldLimitAProductByItsSaleElseByTheProperty() {
    sales.put(sale(8, 5));
    sales.put(sale(9, null));
    Rates rates = new Rates(sales, 1_000, 0, 100);
    long ofSale = LongStream.range(1, 900).filter(user -> rates.admit(8, user) == 0).count();
    long ofProperty = LongStream.range(1, 900).filter(user -> rates.admit(9, user) == 0).count();
    assertThat(ofSale).isGreaterThanOrEqualTo(5).isLessThan(899);
    assertThat(ofProperty).isEqualTo(899);
  }

  @Test
  void shouldHeedAChangedRateAtOnce() {
    sales.put(sale(8, 1));
    Rates rates = new Rates(sales, 0, 0, 100);
    LongStream.range(1, 100).forEach(user -> rates.admit(8, user));
    sales.put(sale(8, 1_000_000));
    assertThat(rates.admit(8, 1)).isEqualTo(Rates.ADMITTED);
    sales.put(sale(8, null));
    assertThat(rates.admit(8, 1)).isEqualTo(Rates.ADMITTED);
  }

  @Test
  void shouldLimitAllUnknownProductsTogether() {
    Rates rates = new Rates(sales, 5, 0, 100);
    long admitted =
        LongStream.range(1, 10_000).filter(product -> rates.admit(product, product) == 0).count();
    assertThat(admitted).isGreaterThanOrEqualTo(5).isLessThan(9_999);
  }

  @Test
  void shouldLimitNobodyWithoutRates() {
    Rates rates = new Rates(sales, 0, 0, 1);
    assertThat(admitted(rates, 10_000, 1)).isEqualTo(10_000);
  }

  private static long admitted(Rates rates, int attempts, long user) {
    return LongStream.range(0, attempts).filter(i -> rates.admit(8, user) == 0).count();
  }

  private static Sale sale(long product, Integer rate) {
    return new Sale(product, "n", 1, 0, 1, null, null, rate, null, Sale.State.OPEN, 1, true);
  }
}
