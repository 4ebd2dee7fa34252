package io.seckill.console;

import io.seckill.console.Overview.LedgerView;
import io.seckill.console.Overview.Notice;
import io.seckill.console.Overview.Outbox;
import io.seckill.sale.Sale;
import java.util.List;

/** What this node last saw of the books of sales: a look at all of them at one time. */
interface Books {
  /** The units of a sale; null when no book can be read. */
  LedgerView ledger(Sale sale);

  /** What is not as it should be with this sale. */
  List<Notice> attention(Sale sale);

  /** Orders that wait for Kafka, or in minimal mode for MySQL. */
  Outbox outbox();

  /** Orders that Kafka has and MySQL has not; null where there is no Kafka. */
  Long lag();
}
