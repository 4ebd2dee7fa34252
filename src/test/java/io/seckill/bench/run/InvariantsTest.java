package io.seckill.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InvariantsTest {
  private static final long INITIAL = 100;

  @Test
  void shouldFindNothingWrongWithABookThatBalances() {
    assertThat(Invariants.breaches(List.of(book(40, 0, 60, 60)), 60, 0, true)).isEmpty();
  }

  @Test
  void shouldFailWhenMoreUnitsWereOrderedThanThereWere() {
    Book oversold = book(0, 0, 100, 101);

    assertThat(Invariants.breaches(List.of(oversold), 100, 1, true))
        .anySatisfy(breach -> assertThat(breach).startsWith("I3").contains("oversold 1 units"));
    assertThat(Invariants.breachesOfMysql(List.of(oversold), 101, 0))
        .anySatisfy(breach -> assertThat(breach).startsWith("I3"));
  }

  @Test
  void shouldFailWhenTheBookTookMoreUnitsThanThereWere() {
    assertThat(Invariants.breaches(List.of(book(-1, 101, 0, 0)), 101, 0, false))
        .anySatisfy(breach -> assertThat(breach).startsWith("I1"))
        .anySatisfy(breach -> assertThat(breach).startsWith("I3"));
  }

  @Test
  void shouldFailWhenUnitsVanish() {
    assertThat(Invariants.breaches(List.of(book(30, 10, 50, 50)), 60, 0, false))
        .anySatisfy(breach -> assertThat(breach).startsWith("I1"));
  }

  @Test
  void shouldFailWhenAPurchaseThatWasAnsweredIsInNoBook() {
    assertThat(Invariants.breaches(List.of(book(41, 0, 59, 59)), 60, 5, true))
        .singleElement()
        .asString()
        .contains("60 purchases were answered 202");
  }

  @Test
  void shouldAllowForPurchasesWhoseAnswerNobodySaw() {
    assertThat(Invariants.breaches(List.of(book(38, 0, 62, 62)), 60, 2, true)).isEmpty();
    assertThat(Invariants.breaches(List.of(book(38, 0, 62, 62)), 60, 1, true)).hasSize(1);
  }

  @Test
  void shouldFailWhenReservationsAreStillPendingThoughTheyShouldBeOrders() {
    Book pending = book(40, 20, 40, 40);

    assertThat(Invariants.breaches(List.of(pending), 60, 0, false)).isEmpty();
    assertThat(Invariants.breaches(List.of(pending), 60, 0, true))
        .singleElement()
        .asString()
        .startsWith("I5");
  }

  @Test
  void shouldFailWhenRedisAndMysqlDisagree() {
    assertThat(Invariants.breaches(List.of(book(40, 0, 60, 59)), 60, 0, true))
        .singleElement()
        .asString()
        .startsWith("I2");
  }

  @Test
  void shouldFailWhenABuyerHoldsTwoOrders() {
    Book twice = new Book(1, INITIAL, 0, 98, 0, 2, 0, 0, 2, 2, 1);

    assertThat(Invariants.breaches(List.of(twice), 2, 0, true))
        .singleElement()
        .asString()
        .startsWith("I4");
  }

  private static Book book(long available, long pending, long sold, long orders) {
    return new Book(1, INITIAL, 0, available, pending, sold, 0, 0, orders, orders, 0);
  }
}
