package io.seckill.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RatesTest {
  private static final long PRODUCT = 8;
  private static final long OTHER = 9;
  private static final long ACTIVITY = 77;
  private static final Long ADDRESS = 5L;

  private final SaleRegistry sales = new SaleRegistry();
  private final AtomicLong clock = new AtomicLong(1);

  @Test
  void shouldLimitAUser() {
    Rates rates = rates(0, 3, 0, 0);

    assertThat(admitted(rates, PRODUCT, 10, 1)).isEqualTo(3);
    Standing refused = admit(rates, PRODUCT, 1, ADDRESS);
    assertThat(refused.isRefused()).isTrue();
    assertThat(refused.limit()).isEqualTo(Limit.USER);
    assertThat(refused.rate()).isEqualTo(3);
    assertThat(refused.remaining()).isZero();
    assertThat(refused.waitNanos())
        .isBetween(
            TimeUnit.SECONDS.toNanos(1) / 3 - 1_000, TimeUnit.SECONDS.toNanos(1) / 3 + 1_000);
    assertThat(admit(rates, PRODUCT, 2, ADDRESS).isRefused()).isFalse();

    clock.addAndGet(refused.waitNanos());
    assertThat(admit(rates, PRODUCT, 1, ADDRESS).isRefused()).isFalse();
    assertThat(admit(rates, PRODUCT, 1, ADDRESS).isRefused()).isTrue();
  }

  @Test
  void shouldLimitAnAddressWhereItIsKnown() {
    Rates rates = rates(2, 0, 0, 0);

    assertThat(rates.limitsAddresses()).isTrue();
    assertThat(LongStream.range(1, 11).filter(user -> isIn(rates, PRODUCT, user)).count())
        .isEqualTo(2);
    assertThat(admit(rates, PRODUCT, 1, ADDRESS).limit()).isEqualTo(Limit.ADDRESS);
    assertThat(admit(rates, PRODUCT, 1, ADDRESS + 1).isRefused()).isFalse();
    assertThat(rates.admit(PRODUCT, 1, 0, Standing.UNLIMITED).limit()).isNull();
  }

  @Test
  void shouldLimitAProductByItsSaleElseByTheProperty() {
    sales.put(sale(PRODUCT, 5, null));
    sales.put(sale(OTHER, null, null));
    Rates rates = rates(0, 0, 100, 0);

    assertThat(LongStream.range(0, 200).filter(user -> isIn(rates, PRODUCT, user)).count())
        .isEqualTo(5);
    assertThat(LongStream.range(0, 200).filter(user -> isIn(rates, OTHER, user)).count())
        .isEqualTo(100);
    assertThat(admit(rates, PRODUCT, 1, ADDRESS).limit()).isEqualTo(Limit.PRODUCT);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(admit(rates, PRODUCT, 1, ADDRESS).isRefused()).isFalse();
  }

  @Test
  void shouldLimitTheSalesOfAnActivityTogether() {
    sales.put(sale(PRODUCT, null, ACTIVITY));
    sales.put(sale(OTHER, null, ACTIVITY));
    sales.put(sale(10, null, null));
    Rates rates = rates(0, 0, 0, 4);

    assertThat(admitted(rates, PRODUCT, 2, 1) + admitted(rates, OTHER, 10, 1)).isEqualTo(4);
    assertThat(admit(rates, PRODUCT, 1, ADDRESS).limit()).isEqualTo(Limit.ACTIVITY);
    assertThat(admitted(rates, 10, 20, 1)).isEqualTo(20);

    rates.take(List.of(new RateSetting("activity", ACTIVITY, 1)));
    assertThat(admitted(rates, PRODUCT, 10, 1)).isEqualTo(1);
    sales.put(sale(PRODUCT, null, null));
    assertThat(admitted(rates, PRODUCT, 10, 1)).isEqualTo(10);
  }

  @Test
  void shouldHeedAChangedRateAtOnce() {
    sales.put(sale(PRODUCT, 1, null));
    Rates rates = rates(0, 0, 0, 0);
    assertThat(admitted(rates, PRODUCT, 10, 1)).isEqualTo(1);
    sales.put(sale(PRODUCT, 1_000, null));
    assertThat(admitted(rates, PRODUCT, 10, 1)).isEqualTo(10);
    sales.put(sale(PRODUCT, null, null));
    assertThat(admitted(rates, PRODUCT, 2_000, 1)).isEqualTo(2_000);
  }

  @Test
  void shouldGoByWhatOperatorsSetElseByTheProperties() {
    Rates rates = rates(0, 50, 60, 70);

    rates.take(
        List.of(
            new RateSetting("user", 0, 2),
            new RateSetting("address", 0, 9),
            new RateSetting("product", 0, null),
            new RateSetting("activity", 0, 0),
            new RateSetting("activity", ACTIVITY, 5)));
    assertThat(rates.inForce()).isEqualTo(new RateLimits(9, 2, 60, 0, Map.of(ACTIVITY, 5)));
    assertThat(admitted(rates, PRODUCT, 10, 1)).isEqualTo(2);
    assertThat(rates.inForce().ofActivity(ACTIVITY)).isEqualTo(5);
    assertThat(rates.inForce().ofActivity(ACTIVITY + 1)).isZero();

    rates.take(List.of(new RateSetting("user", 0, null)));
    assertThat(rates.inForce()).isEqualTo(new RateLimits(0, 50, 60, 70, Map.of()));
  }

  @Test
  void shouldSpendNothingWhereAnotherLimitRefuses() {
    sales.put(sale(PRODUCT, 6, ACTIVITY));
    sales.put(sale(OTHER, null, null));
    Rates rates = rates(10, 8, 0, 4);

    assertThat(admitted(rates, PRODUCT, 100, 1)).isEqualTo(4);
    rates.take(List.of(new RateSetting("activity", ACTIVITY, 1_000)));
    assertThat(admitted(rates, PRODUCT, 100, 1)).as("left of the product's 6").isEqualTo(2);
    assertThat(admitted(rates, OTHER, 100, 1)).as("left of the user's 8").isEqualTo(2);
    assertThat(admitted(rates, OTHER, 100, 2)).as("left of the address's 10").isEqualTo(2);
  }

  @Test
  void shouldTellTheTightestLimit() {
    sales.put(sale(PRODUCT, 6, ACTIVITY));
    Rates rates = rates(0, 8, 0, 7);

    Standing first = admit(rates, PRODUCT, 1, ADDRESS);
    assertThat(first).isEqualTo(new Standing(Limit.PRODUCT, 6, 5, 0));
    rates.take(List.of(new RateSetting("user", 0, 3)));
    assertThat(admit(rates, PRODUCT, 2, ADDRESS)).isEqualTo(new Standing(Limit.USER, 3, 2, 0));
  }

  @Test
  void shouldLimitAllUnknownProductsTogether() {
    Rates rates = rates(0, 0, 5, 5);
    assertThat(
            LongStream.range(1, 10_000)
                .filter(product -> !admit(rates, product, product, ADDRESS).isRefused())
                .count())
        .isEqualTo(5);
  }

  @Test
  void shouldLimitNobodyWithoutRates() {
    Rates rates = rates(0, 0, 0, 0);
    assertThat(admitted(rates, PRODUCT, 10_000, 1)).isEqualTo(10_000);
    assertThat(admit(rates, PRODUCT, 1, ADDRESS)).isEqualTo(Standing.UNLIMITED);
    assertThat(rates.limitsAddresses()).isFalse();
  }

  @Test
  void shouldRefuseNegativeRates() {
    assertThatIllegalArgumentException().isThrownBy(() -> rates(0, -1, 0, 0));
  }

  private Rates rates(int address, int user, int product, int activity) {
    return new Rates(
        sales, new RateLimits(address, user, product, activity, Map.of()), 100, 100, clock::get);
  }

  private static long admitted(Rates rates, long product, int attempts, long user) {
    return LongStream.range(0, attempts).filter(i -> isIn(rates, product, user)).count();
  }

  /** As the routes judge a purchase. */
  private static Standing admit(Rates rates, long product, long user, long address) {
    Standing ofAddress = rates.admitAddress(address);
    return ofAddress.isRefused() ? ofAddress : rates.admit(product, user, address, ofAddress);
  }

  private static boolean isIn(Rates rates, long product, long user) {
    return !admit(rates, product, user, ADDRESS).isRefused();
  }

  private static Sale sale(long product, Integer rate, Long activity) {
    return new Sale(product, "n", 1, 0, 1, null, null, rate, activity, Sale.State.OPEN, 1, true);
  }
}
