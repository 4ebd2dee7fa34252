package io.seckill.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seckill.book.script.LedgerReply;
import io.seckill.book.script.Script;
import io.seckill.domain.OrderCount;
import io.seckill.health.Probes;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BookWatchTest {
  private final SaleRegistry shown = new SaleRegistry();
  private final Probes probes = new Probes(Duration.ofSeconds(5), () -> 0);
  private final Set<Long> closed = new HashSet<>();
  private boolean examined = true;
  private final BookWatch watch =
      new BookWatch(
          shown, probes, () -> examined, id -> !closed.contains(id), Duration.ofSeconds(30), 100);

  @Test
  void shouldAlignWhatDiffersTwiceInARow() {
    assertThat(look(row("PAUSED", 1), reply("OPEN", 1))).isEmpty();
    assertThat(look(row("PAUSED", 1), reply("OPEN", 1))).containsExactly(7L);
    assertThat(look(row("PAUSED", 1), reply("PAUSED", 1))).isEmpty();
    assertThat(look(row("OPEN", 1), reply("PAUSED", 1))).isEmpty();
  }

  private static Stream<Sale> salesThatDiffer() {
    return Stream.of(
        sale(11, 0, 1, null, null, true, Sale.State.OPEN),
        sale(10, 1, 1, null, null, true, Sale.State.OPEN),
        sale(10, 0, 2, null, null, true, Sale.State.OPEN),
        sale(10, 0, 1, 5L, null, true, Sale.State.OPEN),
        sale(10, 0, 1, null, 5L, true, Sale.State.OPEN),
        sale(10, 0, 1, null, null, false, Sale.State.OPEN),
        sale(10, 0, 1, null, null, true, Sale.State.ENDED));
  }

  private static Sale sale(
      long stock,
      long restocked,
      int maxQuantity,
      Long startsAt,
      Long endsAt,
      boolean preheated,
      Sale.State state) {
    return new Sale(
        7, "a", stock, restocked, maxQuantity, startsAt, endsAt, null, null, state, 1, preheated);
  }

  @ParameterizedTest
  @MethodSource("salesThatDiffer")
  void shouldSeeWhatDiffers(Sale sale) {
    look(sale, reply("OPEN", 1));

    assertThat(look(sale, reply("OPEN", 1))).containsExactly(7L);
  }

  @Test
  void shouldLeaveUnitsToTheBookThatItAddedAlready() {
    List<Object> ahead = reply("OPEN", 1);
    ahead.set(2, 3L);

    look(row("OPEN", 1), ahead);

    assertThat(look(row("OPEN", 1), ahead)).isEmpty();
  }

  @Test
  void shouldMakeABookThatNeverWasAndLeaveALostOneToARebuild() {
    Sale fresh = sale(10, 0, 1, null, null, false, Sale.State.OPEN);
    look(fresh, List.of(-1L));
    assertThat(look(fresh, List.of(-1L))).containsExactly(7L);
    assertThat(probes.of("books").up()).isTrue();

    look(row("OPEN", 1), List.of(-1L));
    assertThat(look(row("OPEN", 1), List.of(-1L))).isEmpty();
    assertThat(probes.of("books").up()).isFalse();
    assertThat(probes.of("books").message()).contains("7").contains("rebuild");
    assertThat(watch.lostBooks()).isEqualTo(1);

    assertThat(look(row("OPEN", 2), reply("OPEN", 1))).isEmpty();
    assertThat(probes.of("books").up()).isFalse();
  }

  @Test
  void shouldShowTheBooksToBuyers() {
    shown.put(row("OPEN", 1));
    LedgerReply open = Script.LEDGER.read(reply("OPEN", 3));
    look(row("OPEN", 1), reply("OPEN", 3));
    assertThat(shown.book(7)).contains(open.asBook().orElseThrow().shown());
    look(row("OPEN", 1), List.of(-1L));
    assertThat(shown.book(7)).isEmpty();
  }

  @Test
  void shouldTellWhetherAnyOpenSaleTakesOrders() {
    look(row("OPEN", 1), reply("OPEN", 1));
    assertThat(watch.admission().up()).isTrue();

    closed.add(7L);
    assertThat(watch.admission().up()).as("without another look").isFalse();
    look(row("OPEN", 1), reply("OPEN", 1));
    assertThat(watch.admission().up()).isFalse();
    assertThat(watch.closedSales()).isEqualTo(1);

    look(row("PAUSED", 1), reply("PAUSED", 1));
    assertThat(watch.admission().up()).as("nothing to sell").isTrue();

    closed.clear();
    List<Object> full = reply("OPEN", 1);
    full.set(14, 100L);
    look(row("OPEN", 1), full);
    assertThat(watch.admission().up()).isFalse();
  }

  @Test
  void shouldTakeOrdersWithABookThatWasAdoptedSinceMySqlWasAsked() {
    look(row("OPEN", 1), reply("OPEN", 2));
    assertThat(watch.admission().up()).isTrue();
    look(row("OPEN", 2), reply("OPEN", 1));
    assertThat(watch.admission().up()).isFalse();
  }

  @Test
  void shouldNotTakeSilenceForReadiness() {
    assertThat(watch.admission().message()).isEqualTo("not checked yet");

    examined = false;
    watch.sales(List.of());
    watch.misaligned(List.of(), List.of());
    assertThat(watch.admission().up()).isFalse();

    examined = true;
    assertThat(watch.admission().up()).isTrue();
  }

  @Test
  void shouldWaitForARebuild() {
    List<Object> shut = reply("PAUSED", 1);
    shut.set(19, 1L);
    look(row("OPEN", 1), shut);

    assertThat(look(row("OPEN", 1), shut)).isEmpty();
    assertThat(probes.of("books").up()).isFalse();
    assertThat(probes.of("books").message()).contains("rebuild is under way").contains("7");
    assertThat(watch.admission().up()).isFalse();
  }

  @Test
  void shouldTellHowLongOrdersWaitForKafka() {
    List<Object> waiting = reply("OPEN", 1);
    waiting.set(14, 3L);
    waiting.set(15, "1000-0");
    waiting.set(17, 32_000L);

    look(row("OPEN", 1), waiting);

    assertThat(watch.outboxLength()).isEqualTo(3);
    assertThat(watch.oldestOutboxMillis()).isEqualTo(31_000);
    assertThat(probes.of("outbox").up()).isFalse();
    look(row("OPEN", 1), reply("OPEN", 1));
    assertThat(probes.of("outbox").up()).isTrue();
  }

  @Test
  void shouldShowOnlyTheBusiestSalesOneByOne() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    WatchMetrics metrics = new WatchMetrics(meters, watch, new LedgerWatch(watch), 2);
    List<Sale> sales = new ArrayList<>();
    List<LedgerReply> replies = new ArrayList<>();
    for (long product = 1; product <= 5; product++) {
      sales.add(row(product, "OPEN", 1));
      List<Object> reply = reply("OPEN", 1);
      reply.set(14, product);
      replies.add(Script.LEDGER.read(reply));
    }
    watch.sales(sales);
    watch.misaligned(watch.sales(), replies);
    metrics.refresh();

    assertThat(meters.find("seckill.sale.outbox.entries").gauges())
        .extracting(gauge -> gauge.getId().getTag("product"))
        .containsExactlyInAnyOrder("5", "4");
    assertThat(meters.get("seckill.outbox.entries").gauge().value()).isEqualTo(15);

    watch.sales(List.of());
    watch.misaligned(List.of(), List.of());
    metrics.refresh();
    assertThat(meters.find("seckill.sale.outbox.entries").gauges()).isEmpty();
  }

  @Test
  void shouldCompareLedgersOfSalesThatMovedOrDidNotBalance() {
    LedgerWatch ledgers = new LedgerWatch(watch);
    look(row("OPEN", 1), reply("OPEN", 1));
    assertThat(ledgers.due()).containsExactly(7L);

    ledgers.compared(ledger(10));
    assertThat(ledgers.due()).isEmpty();
    assertThat(ledgers.imbalance()).isZero();

    List<Object> moved = reply("OPEN", 1);
    moved.set(13, 6L);
    look(row("OPEN", 1), moved);
    assertThat(ledgers.due()).containsExactly(7L);
    ledgers.compared(ledger(11));
    assertThat(ledgers.imbalance()).isEqualTo(1);
    assertThat(ledgers.unbalancedSales()).isEqualTo(1);
    assertThat(ledgers.due()).as("compared again until it balances").containsExactly(7L);
    ledgers.compared(ledger(10));
    assertThat(ledgers.imbalance()).isZero();
    ledgers.compared(null);
  }

  private static Ledger ledger(long available) {
    return Ledger.of(
        7,
        LedgerTest.book(available, 0, 0, 0, 1),
        new OrderCount(0, 0, 0),
        LedgerTest.book(available, 0, 0, 0, 1));
  }

  private List<Long> look(Sale sale, List<Object> reply) {
    watch.sales(List.of(sale));
    return watch.misaligned(watch.sales(), List.of(Script.LEDGER.read(reply)));
  }

  private static Sale row(String state, long epoch) {
    return row(7, state, epoch);
  }

  private static Sale row(long product, String state, long epoch) {
    return new Sale(
        product, "a", 10, 0, 1, null, null, null, null, Sale.State.valueOf(state), epoch, true);
  }

  private static List<Object> reply(String state, long epoch) {
    return new ArrayList<>(
        Arrays.asList(
            1L, 10L, 0L, 10L, 0L, 0L, 0L, 0L, 1L, "", "", state, epoch, 5L, 0L, "", "", 1_000L, 0L,
            0L, "", 0L));
  }
}
