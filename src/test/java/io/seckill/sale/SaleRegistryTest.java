package io.seckill.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.domain.BookSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaleRegistryTest {
  private static final long HOUR = 3_600_000;

  private final SaleRegistry registry = new SaleRegistry();

  @Test
  void shouldListTheSalesWhoseBookShouldBeInRedis() {
    assertThat(registry.isLoaded()).isFalse();
    registry.load(
        List.of(
            new SaleRow(sale(1, true), false),
            new SaleRow(sale(2, false), false),
            new SaleRow(sale(3, true), true)));
    assertThat(registry.isLoaded()).isTrue();
    assertThat(registry.productIds()).containsExactly(1L);
    assertThat(registry.all()).hasSize(3);
    assertThat(registry.find(4)).isEmpty();
    assertThat(registry.mayHaveBook(1)).isTrue();
    assertThat(registry.mayHaveBook(2)).as("preheated a moment ago, perhaps").isTrue();
    assertThat(registry.mayHaveBook(3)).isFalse();
    assertThat(registry.mayHaveBook(4)).isFalse();
    assertThat(registry.isSettled(3)).isTrue();
    assertThat(registry.isSettled(4)).isFalse();
  }

  @Test
  void shouldNoticeThatASaleWasSettled() {
    registry.load(List.of(new SaleRow(sale(1, true), false), new SaleRow(sale(2, true), true)));
    registry.load(List.of(new SaleRow(sale(1, true), false)));
    assertThat(registry.isSettledSince()).as("only the settled sale is left out").isFalse();
    registry.load(List.of());
    assertThat(registry.isSettledSince()).isTrue();
    registry.load(List.of(new SaleRow(sale(1, true), true)));
    assertThat(registry.isSettledSince()).isFalse();
  }

  @Test
  void shouldForgetNoSale() {
    registry.load(List.of(new SaleRow(sale(1, true), true)));
    registry.load(List.of());
    assertThat(registry.find(1)).isPresent();
  }

  @Test
  void shouldKeepTheBookWhenTheSaleChanges() {
    registry.put(sale(1, true));
    registry.putBook(1, new BookSnapshot(5, 0, 10, 1));
    registry.put(sale(1, true));
    assertThat(registry.book(1)).contains(new BookSnapshot(5, 0, 10, 1));
    registry.putBook(1, null);
    assertThat(registry.book(1)).isEmpty();
    registry.putBook(2, new BookSnapshot(5, 0, 10, 1));
    assertThat(registry.book(2)).isEmpty();
  }

  @Test
  void shouldTakeLaterStockOnly() {
    registry.put(sale(1, true));
    registry.putStock(1, 9, 9);
    assertThat(registry.book(1)).isEmpty();
    registry.putBook(1, new BookSnapshot(0, 3, 10, 1));
    registry.putStock(1, 7, 10);
    assertThat(registry.book(1).orElseThrow().available()).isZero();
    registry.putStock(1, 1, 11);
    assertThat(registry.book(1)).contains(new BookSnapshot(1, 3, 11, 1));
  }

  @Test
  void shouldTellThePhaseInTheOrderOfTheScript() {
    long now = 10 * HOUR;
    BookSnapshot sold = new BookSnapshot(0, 0, 1, 1);
    BookSnapshot left = new BookSnapshot(1, 0, 1, 1);
    assertThat(Phase.of(sale(null, null, Sale.State.OPEN), null, now)).isEqualTo(Phase.ON_SALE);
    assertThat(Phase.of(sale(null, null, Sale.State.OPEN), left, now)).isEqualTo(Phase.ON_SALE);
    assertThat(Phase.of(sale(null, null, Sale.State.OPEN), sold, now)).isEqualTo(Phase.SOLD_OUT);
    assertThat(Phase.of(sale(now, now + 1, Sale.State.OPEN), left, now)).isEqualTo(Phase.ON_SALE);
    assertThat(Phase.of(sale(now + 1, null, Sale.State.OPEN), sold, now))
        .isEqualTo(Phase.SCHEDULED);
    assertThat(Phase.of(sale(now + 1, null, Sale.State.PAUSED), left, now)).isEqualTo(Phase.PAUSED);
    assertThat(Phase.of(sale(null, now, Sale.State.PAUSED), left, now)).isEqualTo(Phase.ENDED);
    assertThat(Phase.of(sale(null, null, Sale.State.ENDED), left, now)).isEqualTo(Phase.ENDED);
  }

  @Test
  void shouldReadEventsAndIgnoreOtherTexts() {
    assertThat(SaleEvent.parse("stock 8 3 12")).contains(new SaleEvent.Stock(8, 3, 12));
    assertThat(SaleEvent.parse("sale 8")).contains(new SaleEvent.Changed(8));
    for (String text :
        new String[] {"", "sale", "sale x", "stock 8 3", "stock 8 3 x", "other 8", "sale 8 9"}) {
      assertThat(SaleEvent.parse(text)).as(text).isEmpty();
    }
  }

  private static Sale sale(long product, boolean preheated) {
    return new Sale(product, "n", 1, 0, 1, null, null, null, null, Sale.State.OPEN, 1, preheated);
  }

  private static Sale sale(Long startsAt, Long endsAt, Sale.State state) {
    return new Sale(1, "n", 1, 0, 1, startsAt, endsAt, null, null, state, 1, true);
  }
}
