package io.seckill.console;

import io.seckill.console.Overview.LedgerView;
import io.seckill.console.Overview.Notice;
import io.seckill.console.Overview.Outbox;
import io.seckill.minimal.OrderQueue;
import io.seckill.sale.Sale;
import io.seckill.sale.SaleRegistry;
import java.util.List;

/** Minimal mode: MySQL's stock, and the orders that wait in the memory of this node. */
final class MySqlStock implements Books {
  private final SaleRegistry sales;
  private final OrderQueue queue;

  MySqlStock(SaleRegistry sales, OrderQueue queue) {
    this.sales = sales;
    this.queue = queue;
  }

  /** An order counts as pending while it waits; MySQL still has its units. */
  @Override
  public LedgerView ledger(Sale sale) {
    return sales
        .book(sale.productId())
        .map(
            stock -> {
              long pending = Math.min(queue.units(sale.productId()), stock.available());
              return new LedgerView(
                  sale.stock(),
                  sale.restocked(),
                  stock.available() - pending,
                  pending,
                  sale.stock() + sale.restocked() - stock.available(),
                  0,
                  true);
            })
        .orElse(null);
  }

  @Override
  public List<Notice> attention(Sale sale) {
    return List.of();
  }

  @Override
  public Outbox outbox() {
    return new Outbox(queue.size(), 0);
  }

  @Override
  public Long lag() {
    return null;
  }
}
