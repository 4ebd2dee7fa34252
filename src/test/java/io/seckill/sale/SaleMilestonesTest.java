package io.seckill.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.book.Book;
import io.seckill.book.script.LedgerReply;
import io.seckill.sale.Milestone.Kind;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaleMilestonesTest {
  private static final long PRODUCT = 1001;
  private static final long NOW = 5_000;

  private final SaleMilestones milestones =
      new SaleMilestones(Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC));

  private static Sale sale(Long startsAt, Long endsAt, Sale.State state) {
    return new Sale(PRODUCT, "Phone", 10, 2, 1, startsAt, endsAt, null, null, state, 3, true);
  }

  private static LedgerReply ledger(long available, long epoch, boolean closed) {
    return new LedgerReply.Snapshot(
        new Book(
            10,
            2,
            available,
            0,
            12 - available,
            0,
            0,
            1,
            null,
            null,
            "OPEN",
            epoch,
            1,
            0,
            "",
            "",
            NOW,
            1,
            closed,
            "",
            0));
  }

  private List<String> due(Sale sale, LedgerReply ledger, ToldMilestone... told) {
    return ids(milestones.due(List.of(sale), List.of(ledger), List.of(), List.of(told)));
  }

  private static List<String> ids(List<Milestone> due) {
    return due.stream().map(each -> each.event().get(0).headers().get("ce_id")).toList();
  }

  private static ToldMilestone told(Kind kind, long occasion) {
    return new ToldMilestone(PRODUCT, kind, occasion);
  }

  @Test
  void shouldTellWhatTheClockDoes() {
    LedgerReply left = ledger(5, 3, false);

    assertThat(due(sale(NOW + 1, null, Sale.State.OPEN), left)).isEmpty();
    assertThat(due(sale(NOW, null, Sale.State.PAUSED), left)).containsExactly("1001-opened-5000");
    assertThat(due(sale(null, NOW + 1, Sale.State.OPEN), left)).containsExactly("1001-opened-0");
    assertThat(due(sale(10L, NOW, Sale.State.OPEN), left))
        .containsExactly("1001-opened-10", "1001-ended-5000");
  }

  @Test
  void shouldTellNothingTwice() {
    Sale sale = sale(10L, 20L, Sale.State.OPEN);

    assertThat(
            due(
                sale,
                ledger(0, 3, false),
                told(Kind.OPENED, 10),
                told(Kind.SOLD_OUT, 12),
                told(Kind.ENDED, 20)))
        .isEmpty();
    // the window was moved, and units were added, since
    assertThat(
            due(
                sale,
                ledger(0, 3, false),
                told(Kind.OPENED, 10),
                told(Kind.SOLD_OUT, 10),
                told(Kind.ENDED, 15)))
        .containsExactly("1001-sold-out-12", "1001-ended-20");
  }

  @Test
  void shouldNotOpenASaleThatWasEndedBefore() {
    LedgerReply left = ledger(12, 3, false);

    assertThat(due(sale(NOW + 1, null, Sale.State.ENDED), left)).containsExactly("1001-ended-0");
    assertThat(due(sale(NOW, null, Sale.State.ENDED), left, told(Kind.ENDED, 0))).isEmpty();
  }

  @Test
  void shouldBelieveOnlyThePresentBook() {
    Sale sale = sale(null, null, Sale.State.OPEN);

    assertThat(due(sale, ledger(0, 3, false))).containsExactly("1001-opened-0", "1001-sold-out-12");
    assertThat(due(sale, ledger(0, 2, false))).containsExactly("1001-opened-0");
    assertThat(due(sale, ledger(0, 3, true))).containsExactly("1001-opened-0");
  }

  @Test
  void shouldTellOfASettledSaleWhatWasNotTold() {
    Sale sale = sale(10L, null, Sale.State.ENDED);

    assertThat(
            ids(milestones.due(List.of(), List.of(), List.of(new SettledSale(sale, 0)), List.of())))
        .containsExactly("1001-opened-10", "1001-sold-out-12", "1001-ended-0", "1001-settled-0");
    assertThat(
            ids(
                milestones.due(
                    List.of(),
                    List.of(),
                    List.of(new SettledSale(sale, 1)),
                    List.of(told(Kind.OPENED, 10), told(Kind.ENDED, 0)))))
        .containsExactly("1001-settled-0");
  }
}
