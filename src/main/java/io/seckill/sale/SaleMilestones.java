package io.seckill.sale;

import io.seckill.book.Book;
import io.seckill.book.script.LedgerReply;
import io.seckill.sale.Milestone.Kind;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what happened to sales and was not told yet. It compares how the sales stand with what was
 * told, so that nothing is lost while no node runs, or when one dies before it has told. Stateless.
 */
public final class SaleMilestones {
  private final Clock clock;

  /**
   * @param clock the clock by which windows are judged
   */
  SaleMilestones(Clock clock) {
    this.clock = clock;
  }

  /**
   * What is to be told, in the order in which it happened to each sale.
   *
   * @param live sales that are not settled
   * @param ledgers the replies of ledger.lua for these sales, in the same order
   * @param told what was told of sales whose settlement was not
   */
  public List<Milestone> due(
      List<Sale> live,
      List<LedgerReply> ledgers,
      List<SettledSale> settled,
      List<ToldMilestone> told) {
    Found found = new Found(clock.millis(), new HashSet<>(told));
    for (int i = 0; i < live.size(); i++) {
      Sale sale = live.get(i);
      if (sale.preheated()) {
        found.window(sale);
        ledgers
            .get(i)
            .asBook()
            .filter(book -> isSoldOut(book, sale))
            .ifPresent(book -> found.add(sale, Kind.SOLD_OUT, book.initial() + book.restocked()));
      }
    }
    for (SettledSale each : settled) {
      Sale sale = each.sale();
      found.window(sale);
      if (each.left() == 0) {
        found.add(sale, Kind.SOLD_OUT, sale.stock() + sale.restocked());
      }
      found.add(sale, Kind.SETTLED, 0);
    }
    found.due.sort(Comparator.comparing(Milestone::kind));
    return found.due;
  }

  /** A book that is being rebuilt, or that a rebuild must replace, does not tell. */
  private static boolean isSoldOut(Book book, Sale sale) {
    return !book.closed()
        && book.epoch() == sale.epoch()
        && book.available() == 0
        && book.initial() + book.restocked() > 0;
  }

  private static final class Found {
    private final long now;
    private final Set<ToldMilestone> told;
    private final List<Milestone> due = new ArrayList<>();

    Found(long now, Set<ToldMilestone> told) {
      this.now = now;
      this.told = told;
    }

    void window(Sale sale) {
      boolean ended = Phase.of(sale, null, now) == Phase.ENDED;
      long endsAt = sale.endsAt() == null ? 0 : sale.endsAt();
      boolean endTold = told.contains(new ToldMilestone(sale.productId(), Kind.ENDED, endsAt));
      // one that was ended before its window opened never opened, though its time comes
      if ((sale.startsAt() == null || now >= sale.startsAt()) && !(ended && endTold)) {
        add(sale, Kind.OPENED, sale.startsAt() == null ? 0 : sale.startsAt());
      }
      if (ended) {
        add(sale, Kind.ENDED, endsAt);
      }
    }

    void add(Sale sale, Kind kind, long occasion) {
      if (!told.contains(new ToldMilestone(sale.productId(), kind, occasion))) {
        due.add(new Milestone(sale.productId(), kind, occasion, sale));
      }
    }
  }
}
